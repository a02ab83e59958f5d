"""The rules as Snakemake's linter and formatter want them."""


def test_snakemake_lint_has_no_complaint(checkout):
    lint = checkout.snakemake("--lint")
    assert lint.returncode == 0, lint.stdout
    assert "your workflow is in a good condition" in lint.stdout


def test_rules_are_formatted(checkout):
    check = checkout.run("snakefmt", "--check", "Snakefile", "workflow/rules")
    assert check.returncode == 0, check.stdout

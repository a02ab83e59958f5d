# Tables in CSV and Markdown, and figures in PDF, SVG and PNG: a rule for each kind.
for each in EXHIBITS:

    rule:
        name:
            each.rule
        input:
            unpack(lambda w, each=each: each.sources(study, each.name_in(w))),
            **{role: local(file) for role, file in each.registry.items()},
        output:
            **{
                kind: (
                    report(file, caption="../report/caption.rst", category="Figures")
                    if kind == "svg"
                    else file
                )
                for kind, file in each.outputs.items()
            },
        log:
            f"logs/{each.rule}/{each.file}.log",
        conda:
            "../../environment.yml"
        params:
            module=each.module,
            given=lambda w, each=each: each.told(study, each.name_in(w)),
            code=study.code("show", each.module),
        message:
            f"Make the {each.rule} {each.file}".replace("{", "{wildcards.")
        script:
            "../scripts/show.py"

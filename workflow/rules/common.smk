# The study, which all rules share: the checked configuration and registries. Rules ask the study for
# parameters, and for names of files that no plain pattern gives; `pte_study.plan` computes these.
# A parameter is a number, text, or a list or dictionary of values. Snakemake does not notice that
# a bare object changes, so rules pass `vars(object)`.
import gc
import sys
import threading
from pathlib import Path

from snakemake.exceptions import WorkflowError

from pte.corpora.subsets import PATTERN, Subset
from pte.errors import PteError
from pte_study.configuration import registry
from pte_study.paths import either
from pte_study.plan.exhibits import EXHIBITS
from pte_study.plan.study import compared, PAGES, prepare, Study

try:
    # This refuses equal keys; Snakemake itself would take the last.
    for file in workflow.configfiles:
        registry.read(Path(file))
    config.update(registry.typed(config))  # `--config` passes text
    study = Study.load(config, Path(workflow.current_basedir).parent, prepare(config))
    study = study.of_published if study.config.published else study
except PteError as error:
    raise WorkflowError(str(error))


# Of a plan of ten thousand jobs, millions of objects stay, so Python need not look for garbage
# among them so often.
gc.set_threshold(200_000, 20, 100)


# Snakemake does not run `onstart` when it only plans.
if workflow.is_main_process and any(
    given.startswith(("-n", "--dry-run", "--dryrun")) for given in sys.argv
):
    study.say_what_is_left_out(sys.argv)


# To keep to a limit of jobs a second, Snakemake (9.27) wakes every second for each job that it has
# ever started. The limit protects the scheduler of a cluster; jobs of this machine need no limit.
# A second `onstart` would take the place of this one.
onstart:
    # On SIGTERM Snakemake (9.27) asks for this lock, also where it has it; then it would never end.
    workflow.scheduler._lock = threading.RLock()
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
    study.say_what_is_left_out(sys.argv)


# A job of Slurm starts Snakemake, and that (with version 2.8 of the plugin) would start Snakemake
# once more for each job of its group. Instead it runs them itself, one after another.
if slurm := sys.modules.get("snakemake_executor_plugin_slurm"):
    slurm.Executor.additional_general_args = lambda _: "--resources beside=1"


wildcard_constraints:
    corpus=f"(?:{either(study.registries.corpora)})(?:{PATTERN})?",
    method=either(study.registries.methods),
    labels=r"given|shuffled-\d+",
    protocol=either(study.config.protocols),
    table=either(study.all_tables),
    curve=either(study.config.curves),
    claim=either(study.registries.claims),
    parameter=either(study.parameters),
    seed=r"\d+",

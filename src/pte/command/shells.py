"""The command that prints what a shell needs to complete `pte`."""

import click
from click.shell_completion import get_completion_class

from pte.command.shown import say


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in a SHELL.

    \b
    Example:
      eval "$(pte completion bash)"
    """
    made = get_completion_class(shell)
    assert made is not None
    say(made(context.find_root().command, {}, "pte", "_PTE_COMPLETE").source())

"""The option that counts findings instead of showing them."""

from __future__ import annotations

import click

from opcheck.config import ConfigError
from opcheck.report.formats import FORMATS, Format

statistics_option = click.option(
    "--statistics", is_flag=True, help="Print how many findings there are, by rule and by op, in place of them."
)


def printed_form(name: str, *, statistics: bool) -> Format:
    """What is printed: the findings in the form of that name, or their counts.

    Raises ConfigError where there is no such form of counts.
    """
    if not statistics:
        return FORMATS[name]
    from opcheck.report.statistics import STATISTICS  # noqa: PLC0415 - what is seldom asked for is imported then

    if name not in STATISTICS:
        raise ConfigError(f"--statistics has no form `{name}`", help=f"its forms are {', '.join(STATISTICS)}")
    return STATISTICS[name]

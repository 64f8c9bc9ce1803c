"""The variables of the support hub."""

from triage.config.declaring import VariableGroup, env


class SupportVariables(VariableGroup):
    """The hub itself; its articles and rules stand in triage.yaml."""

    enable_support: bool = env(
        "ENABLE_SUPPORT",
        False,
        "the support hub answers mails of `route: support` from articles and looked-up data, and hands the others to people",
    )

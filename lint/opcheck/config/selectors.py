"""Choosing rules by code, name or prefix of a code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from opcheck_rules.base import Rule, nearest


def matches(selector: str, code: str, name: str) -> bool:
    """Whether `selector` is a rule's name, its code, or a prefix of its code that names its family (`OPC1`)."""
    return selector == name or (selector.startswith("OPC") and code.startswith(selector))


def chosen(rules: Iterable[Rule], select: Sequence[str], ignore: Sequence[str]) -> list[Rule]:
    """The rules that `select` names (all of them where it names none) without those that `ignore` does."""
    return [rule for rule in rules if (not select or _is_among(rule, select)) and not _is_among(rule, ignore)]


def is_known(selector: str, rules: Iterable[Rule]) -> bool:
    """Whether `selector` chooses any rule at all."""
    return any(matches(selector, rule.code, rule.name) for rule in rules)


def selector_help(selector: str, rules: Iterable[Rule]) -> str:
    """What to write instead of a selector that chooses nothing."""
    by_spelling = {spelling.casefold(): spelling for rule in rules for spelling in (rule.code, rule.name)}
    near = nearest(selector.casefold(), by_spelling)
    return f"did you mean `{by_spelling[near]}`?" if near else "`opcheck rules` lists them"


def _is_among(rule: Rule, selectors: Iterable[str]) -> bool:
    return any(matches(selector, rule.code, rule.name) for selector in selectors)

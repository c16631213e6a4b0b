"""Elements of a page: text that goes in is text that comes out, whatever is in it."""

from __future__ import annotations

from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

from opcheck.report.source import printable

Child: TypeAlias = "Element | str"


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """An element of these children; `data_mark` stands for `data-mark`, and `class_` for `class`."""
    made = Element(tag, {_name(name): printable(value) for name, value in attributes.items()})
    for child in children:
        _append(made, child)
    return made


def markup(*elements: Element) -> str:
    """The HTML of elements, in their order."""
    return "".join(tostring(one, encoding="unicode", method="html") for one in elements)


def _append(parent: Element, child: Child) -> None:
    if isinstance(child, Element):
        parent.append(child)
    elif len(parent):
        parent[-1].tail = (parent[-1].tail or "") + printable(child)
    else:
        parent.text = (parent.text or "") + printable(child)


def _name(attribute: str) -> str:
    return attribute.rstrip("_").replace("_", "-")

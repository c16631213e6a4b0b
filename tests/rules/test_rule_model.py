"""The words the rules are written in: conditions, targets, the table, findings."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.conftest import World, serve

from opcheck_rules.backend_not_supported import RULE
from opcheck_rules.base import assume_line, in_short, nearest, quoted
from opcheck_rules.model.atom import Atom
from opcheck_rules.model.condition import Condition, ConditionOverflowError, Conditions, Decide
from opcheck_rules.model.finding import Severity
from opcheck_rules.model.project import Cause, Cell, Outcome, Status
from opcheck_rules.model.target import Target

NAMES = ("a", "b", "c", "d")
Build = Callable[[Conditions], Condition]
Truth = Callable[[dict[str, bool]], bool]


def of_atom(name: str) -> tuple[Build, Truth]:
    return lambda space: space.atom(name), lambda facts: facts[name]


def inverted(one: tuple[Build, Truth]) -> tuple[Build, Truth]:
    return lambda space: ~one[0](space), lambda facts: not one[1](facts)


def both(one: tuple[Build, Truth], other: tuple[Build, Truth]) -> tuple[Build, Truth]:
    return lambda space: one[0](space) & other[0](space), lambda facts: one[1](facts) and other[1](facts)


def either(one: tuple[Build, Truth], other: tuple[Build, Truth]) -> tuple[Build, Truth]:
    return lambda space: one[0](space) | other[0](space), lambda facts: one[1](facts) or other[1](facts)


PREDICATES = st.recursive(
    st.sampled_from(NAMES).map(of_atom),
    lambda inner: st.one_of(inner.map(inverted), st.builds(both, inner, inner), st.builds(either, inner, inner)),
    max_leaves=8,
)
WORLDS = [dict(zip(NAMES, values, strict=True)) for values in product((False, True), repeat=len(NAMES))]


def deciding(facts: dict[str, bool]) -> Decide:
    return lambda atom: facts[atom.subject]


@given(PREDICATES)
def test_a_condition_holds_where_its_predicate_does(predicate: tuple[Build, Truth]) -> None:
    condition = predicate[0](Conditions())

    for facts in WORLDS:
        assert condition.under(deciding(facts)).holds is predicate[1](facts)


@given(PREDICATES)
def test_what_is_left_open_keeps_its_meaning(predicate: tuple[Build, Truth]) -> None:
    condition = predicate[0](Conditions())

    left = condition.under(lambda atom: True if atom.subject == "a" else None)

    for facts in WORLDS:
        expected = predicate[1](facts | {"a": True})
        assert left.under(deciding(facts)).holds is expected


@given(PREDICATES)
def test_cubes_cover_a_condition_and_no_more(predicate: tuple[Build, Truth]) -> None:
    cubes = predicate[0](Conditions()).cubes()

    for facts in WORLDS:
        covered = any(all(facts[atom.subject] is value for atom, value in cube.items()) for cube in cubes)
        assert covered is predicate[1](facts)


@given(PREDICATES, PREDICATES)
def test_conditions_that_mean_the_same_are_the_same(one: tuple[Build, Truth], other: tuple[Build, Truth]) -> None:
    space = Conditions()
    left, right = one[0](space), other[0](space)

    assert (left is right) is all(one[1](facts) is other[1](facts) for facts in WORLDS)
    assert left.implies(right) is all(other[1](facts) for facts in WORLDS if one[1](facts))
    assert left.meets(right) is any(one[1](facts) and other[1](facts) for facts in WORLDS)


def test_conditions_join_by_any_and_all() -> None:
    space = Conditions()
    a, b = space.atom("a"), space.atom("b")

    assert space.any([a, b]) is a | b
    assert space.all([a, b]) is a & b
    assert (space.any([]), space.all([])) == (space.false, space.true)
    assert (space.constant(True), space.constant(False)) == (space.true, space.false)


def test_a_condition_reads_as_a_guard() -> None:
    space = Conditions()
    version, fast = space.atom("torch.__version__", "<", "2.4"), space.atom("pkg.FAST")

    assert (fast & ~version).render() == "torch.__version__ >= '2.4' and pkg.FAST"
    assert (space.true.render(), space.false.render()) == ("always", "never")
    assert repr(~fast) == "<Condition not pkg.FAST>"
    assert ((fast | version).size, fast.support()) == (2, [Atom("pkg.FAST")])


def test_a_part_that_two_branches_share_is_restricted_once() -> None:
    space = Conditions()
    a, b, c = (space.atom(name) for name in "abc")

    assert (a & c | b & c).under(lambda atom: None) is (a | b) & c
    assert (a & ~b & c | ~a & b & c).under(lambda atom: True if atom.subject == "c" else None) is (a & ~b | ~a & b)


def test_a_space_that_is_full_says_so_but_knows_every_atom() -> None:
    space = Conditions(limit=3)
    a, b, c = (space.atom(name) for name in "abc")

    with pytest.raises(ConditionOverflowError):
        a & b & c


def test_a_piece_of_work_that_explodes_leaves_room_for_the_next() -> None:
    space = Conditions(limit=100)
    atoms = [space.atom(str(i)) for i in range(8)]
    space.grant(3)
    with pytest.raises(ConditionOverflowError):
        space.all(atoms)

    space.grant(10)
    assert atoms[0].meets(space.all(atoms[:4]))
    space.grant(1)
    space.release()
    assert space.all(atoms).size == 8


def test_a_target_asks_for_its_contexts_and_looks_at_its_ops() -> None:
    target = Target("train", ("cuda",), autodiff=True, vmap=True, ops=("ns::*",))

    assert target.contexts == ("forward", "autodiff", "vmap")
    assert (target.wants("ns::op"), target.wants("other::op")) == (True, False)
    assert Target("serve", ("cuda",)).wants("other::op")


def test_a_cell_has_the_status_that_every_world_agrees_on(world: World) -> None:
    guard = world.when("pkg.FAST")
    op = world.op({})
    table = world.table([op])

    def status(*outcomes: Outcome) -> Status:
        return table.live(op, Cell("numpy", "forward", outcomes)).status

    assert status(world.covered()) is Status.COVERED
    assert status(world.covered(guard), world.hole(Cause.NO_KERNEL, ~guard)) is Status.CONDITIONAL
    assert status(world.covered(guard), world.unknown()) is Status.UNKNOWN


def test_an_op_that_does_not_exist_is_a_hole_and_no_finding(world: World) -> None:
    guard = world.when("pkg.FAST")
    world.facts = {"pkg.FAST": False}
    gone = world.op({("cupy", "forward"): world.hole(Cause.NOT_LISTED)}, defined=guard)
    table = world.table([gone])

    assert table.live(gone, gone.cells["numpy", "forward"]).status is Status.HOLE
    assert not list(RULE.check(RULE, table))


def test_a_name_without_a_definition_is_not_checked(world: World) -> None:
    dangling = world.op({("cupy", "forward"): world.hole(Cause.NOT_LISTED)}, has_definition=False)
    table = world.table([dangling])

    assert table.live(dangling, dangling.cells["numpy", "forward"]).status is Status.COVERED
    assert not list(table.checked)


def test_a_use_that_the_target_rules_out_is_none(world: World) -> None:
    guard = world.when("pkg.FAST")
    world.facts = {"pkg.FAST": False}
    op = world.op({})
    elsewhere, here = world.use(7, tracked=True, condition=guard), world.use(8, tracked=True)

    assert world.table([op], uses=(elsewhere, here, world.use(9, tracked=True, op="pkg.other"))).uses(op) == [here]


def test_an_error_ranks_above_a_warning() -> None:
    assert Severity.ERROR.rank > Severity.WARNING.rank


def test_names_are_quoted_in_a_row() -> None:
    assert (quoted([]), quoted(["a"]), quoted(["a", "b", "c"])) == ("no backend", "`a`", "`a`, `b` and `c`")


def test_only_a_name_that_is_near_is_suggested() -> None:
    assert (nearest("cuad", ("cpu", "cuda")), nearest("zx81", ("cpu", "cuda"))) == ("cuda", None)


def test_a_rule_is_known_by_the_first_line_of_its_documentation() -> None:
    assert RULE.summary == "A backend the project runs on has no kernel"
    assert serve("numpy").contexts == ("forward",)


def test_a_guard_that_takes_lines_to_write_is_said_in_short() -> None:
    space = Conditions()
    short = space.atom("torch.cuda.is_available()") & ~space.atom("env:FAST")
    long = space.any(space.atom(f"a_rather_long_module.flag_{i}") & space.atom(f"flag_{i}") for i in range(12))

    assert in_short(short) == "torch.cuda.is_available() and not env:FAST"
    assert in_short(long) == "a_rather_long_module.flag_0 and 23 more facts are as its guard asks"


def test_a_condition_that_is_too_intricate_to_be_written_out_is_said_by_one_case() -> None:
    space = Conditions()
    ones, others = ([space.atom(f"{side}{i}") for i in range(16)] for side in ("a", "b"))
    intricate = space.any(one & ~other for one, other in zip(ones, reversed(others), strict=True)) & ~space.all(others)

    (case,) = intricate.cubes()

    assert intricate.under(case.get).holds
    assert intricate.render().endswith(" or one of many other cases")


def test_a_condition_of_few_nodes_and_exponentially_many_cases_is_said_by_one() -> None:
    space = Conditions()
    odd = space.false
    for i in range(40):
        one = space.atom(f"flag_{i}")
        odd = (odd & ~one) | (~odd & one)

    (case,) = odd.cubes()

    assert sum(case.values()) % 2 == 1 and len(case) == 40
    assert odd.render().endswith(" or one of many other cases")


@pytest.mark.parametrize(
    ("atom", "line"),
    [
        (Atom("a.b()"), '"a.b()" = true'),
        (Atom("""os.environ["it's"]"""), """"os.environ[\\"it's\\"]" = true"""),
        (Atom("a", "==", "cuda"), '"a" = "cuda"'),
        (Atom("a", "==", 2.5), '"a" = 2.5'),
        (Atom("a", "<", 3), '"a" = ...'),
        *((Atom("a", "==", operand), '"a" = ...') for operand in (b"bytes", "\ud800", (3, 12), None, ...)),
    ],
)
def test_what_is_assumed_is_written_as_a_configuration_has_it(atom: Atom, line: str) -> None:
    assert assume_line(atom, holds=True) == line

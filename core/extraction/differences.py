"""What changed between two versions of a case: values added, removed, moved, reworded, split; figures; leaks."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.domain.article import Span
from core.domain.case import CaseRepresentation, LeakAction, Value

ChangeKind = Literal["added", "removed", "moved", "reworded", "split", "merged", "set"]


@dataclass(frozen=True)
class Change:
    """One difference.

    Attributes:
        kind: what happened; `set` for everything that is no value: a figure's modality, a leak's decision, the state.
        field: where, in the newer version where both have one: an Element's key, `final_diagnosis`, `reasoning`,
            `<figure id>.findings`, `leak`, `state` ...
        before: the older texts; empty when added.
        after: the newer texts; empty when removed.
        from_field: where a moved value stood; empty else.
    """

    kind: ChangeKind
    field: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    from_field: str = ""


@dataclass(frozen=True)
class _Placed:
    field: str
    text: str
    spans: tuple[Span, ...]


def compare_versions(older: CaseRepresentation, newer: CaseRepresentation) -> tuple[Change, ...]:
    """Give every difference between two versions of one case; empty when they say the same.

    A value is the same when field and text are; moved when only its field differs; reworded, split or merged when the
    sentences it rests on overlap with those of values of the same field that are new. Order of values, ids, who and
    when are no differences.
    """
    old, new = _without_same(_placed(older), _placed(newer))
    changes: list[Change] = []
    moved_old: set[int] = set()
    moved_new: set[int] = set()
    for i, was in enumerate(old):
        j = next((j for j, now in enumerate(new) if j not in moved_new and now.text == was.text), None)
        if j is not None:
            moved_old.add(i)
            moved_new.add(j)
            changes.append(Change("moved", new[j].field, (was.text,), (new[j].text,), was.field))
    old = [one for i, one in enumerate(old) if i not in moved_old]
    new = [one for j, one in enumerate(new) if j not in moved_new]
    changes += _reworded(old, new)
    changes += _figures(older, newer)
    changes += _unsupported(older, newer)
    changes += _leaks(older, newer)
    changes += _state(older, newer)
    return tuple(changes)


def _placed(case: CaseRepresentation) -> list[_Placed]:
    fields: list[tuple[str, Sequence[Value]]] = [(str(key), values) for key, values in case.elements.items()]
    fields += [("final_diagnosis", case.final_diagnosis), ("reasoning", case.reasoning)]
    for figure in case.figures:
        fields.append((f"{figure.figure_id}.findings", figure.findings))
        fields.append((f"{figure.figure_id}.significance", figure.significance))
    return [_Placed(field, value.text, value.spans) for field, values in fields for value in values]


def _without_same(old: list[_Placed], new: list[_Placed]) -> tuple[list[_Placed], list[_Placed]]:
    left = list(new)
    gone = []
    for was in old:
        same = next((one for one in left if (one.field, one.text) == (was.field, was.text)), None)
        if same is None:
            gone.append(was)
        else:
            left.remove(same)
    return gone, left


def _reworded(old: list[_Placed], new: list[_Placed]) -> list[Change]:
    """Pair what rests on the same sentences of the article; the rest was added or removed."""
    groups = _groups(old, new)
    changes = []
    for befores, afters in groups:
        before, after = tuple(one.text for one in befores), tuple(one.text for one in afters)
        field = (afters or befores)[0].field
        kind: ChangeKind = "reworded"
        if not before or not after:
            kind = "added" if after else "removed"
        elif len(after) > len(before):
            kind = "split"
        elif len(after) < len(before):
            kind = "merged"
        changes.append(Change(kind, field, before, after))
    return changes


def _groups(old: list[_Placed], new: list[_Placed]) -> list[tuple[list[_Placed], list[_Placed]]]:
    groups: list[tuple[list[_Placed], list[_Placed]]] = [([one], []) for one in old]
    for now in new:
        touching = [group for group in groups if any(_same_place(was, now) for was in group[0])]
        if not touching:
            groups.append(([], [now]))
            continue
        first = touching[0]
        first[1].append(now)
        for other in touching[1:]:
            first[0].extend(other[0])
            first[1].extend(other[1])
            groups.remove(other)
    return groups


def _same_place(was: _Placed, now: _Placed) -> bool:
    return was.field == now.field and any(
        a.part == b.part and max(a.start, b.start) < min(a.end, b.end) for a in was.spans for b in now.spans
    )


def _figures(older: CaseRepresentation, newer: CaseRepresentation) -> list[Change]:
    changes = []
    before = {figure.figure_id: figure for figure in older.figures}
    for figure in newer.figures:
        was = before.pop(figure.figure_id, None)
        name = figure.label or figure.figure_id
        if was is None:
            changes.append(Change("added", "figures", (), (name,)))
            continue
        if was.modality != figure.modality:
            changes.append(Change("set", f"{figure.figure_id}.modality", (was.modality,), (figure.modality,)))
        if set(was.flags) != set(figure.flags):
            flags = tuple(map(str, was.flags)) or ("none",), tuple(map(str, figure.flags)) or ("none",)
            changes.append(Change("set", f"{figure.figure_id}.flags", *flags))
        if was.is_excluded != figure.is_excluded:
            words = {True: ("excluded",), False: ("in the dialogue",)}
            changes.append(Change("set", f"{figure.figure_id}.use", words[was.is_excluded], words[figure.is_excluded]))
    changes += [Change("removed", "figures", (one.label or one.figure_id,)) for one in before.values()]
    return changes


def _unsupported(older: CaseRepresentation, newer: CaseRepresentation) -> list[Change]:
    was = {(one.field, one.text) for one in older.unsupported}
    now = {(one.field, one.text) for one in newer.unsupported}
    changes = [Change("removed", f"{field} (unsupported)", (text,)) for field, text in sorted(was - now)]
    return changes + [Change("added", f"{field} (unsupported)", (), (text,)) for field, text in sorted(now - was)]


def _leaks(older: CaseRepresentation, newer: CaseRepresentation) -> list[Change]:
    def decisions(case: CaseRepresentation) -> dict[tuple[str, str], list[str]]:
        found = defaultdict(list)
        texts = {value.id: value.text for values in case.elements.values() for value in values}
        for hit in case.leaks:
            action = "open" if hit.action is LeakAction.NONE else hit.action.value
            found[texts.get(hit.value_id, hit.value_id), hit.text].append(f"{hit.text}: {hit.verdict}, {action}")
        return found

    was, now = decisions(older), decisions(newer)
    return [
        Change("set", "leak", tuple(was.get(key, ())), tuple(now.get(key, ())))
        for key in dict.fromkeys([*was, *now])
        if sorted(was.get(key, ())) != sorted(now.get(key, ()))
    ]


def _state(older: CaseRepresentation, newer: CaseRepresentation) -> list[Change]:
    def words(case: CaseRepresentation) -> tuple[str, ...]:
        state = "released" if case.is_released else "not released"
        return (state, case.eligibility.state, *case.eligibility.reasons, *filter(None, (case.held_reason,)))

    changes = [] if words(older) == words(newer) else [Change("set", "state", words(older), words(newer))]
    if older.article_version != newer.article_version:
        numbers = (f"version {older.article_version}",), (f"version {newer.article_version}",)
        changes.append(Change("set", "article", *numbers))
    if older.leak_policy != newer.leak_policy:
        changes.append(Change("set", "leak policy", (older.leak_policy,), (newer.leak_policy,)))
    return changes

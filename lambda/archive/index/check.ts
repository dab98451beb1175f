import { isRecord } from "../../core/record.ts";
import { KINDS, type Kind, LIST_NAMES } from "./entries.ts";
import type { Branch, Child, Leaf, ListName, Node, Stored, Sum } from "./node.ts";
import { sumOf } from "./shape.ts";
import { ALL, isSmallest, type Unit, unitBelow } from "./units.ts";

/**
 * Checks that a value is a node of `unit`, as far as the index relies on it to find, add and remove. Users of
 * the entries check the other fields.
 */
export function isStoredNode(value: unknown, unit: Unit): value is Node {
  return isNode(value, unit, (at) => isStored(at));
}

/** As `isStoredNode`, for the root in a manifest. Its nodes may be inline instead of stored. */
export function isRoot(value: unknown): value is Node {
  return isNode(value, ALL, isInPlace);
}

function isInPlace(at: unknown, { sum }: Child, unit: Unit): boolean {
  return isStored(at) || (isNode(at, unit, isInPlace) && isSameSum(sumOf(at), sum));
}

/** True if `at` may stand at this child of this unit. */
type IsAt = (at: unknown, child: Child, unit: Unit) => boolean;

function isNode(value: unknown, unit: Unit, isAt: IsAt): value is Node {
  return isRecord(value) && (isLeaf(value, unit) || isBranch(value, unit, isAt));
}

export function isSameSum(a: Sum, b: Sum): boolean {
  return SUM_FIELDS.every((field) => a[field] === b[field]);
}

type Fields = Readonly<Record<string, unknown>>;

function isBranch(value: Fields, unit: Unit, isAt: IsAt): value is Fields & Branch {
  const { kind, children } = value;
  return (
    kind === "branch" &&
    !isSmallest(unit) &&
    Array.isArray(children) &&
    children.length > 0 &&
    children.every((child: unknown) => isChild(child, unit) && isAt(child.at, child, unitBelow(unit, child.from))) &&
    children.every((child: Child, index) => index === 0 || children[index - 1].from < child.from)
  );
}

function isChild(value: unknown, above: Unit): value is Child {
  if (!(isRecord(value) && isTimeIn(value["from"], above) && isSum(value["sum"]))) {
    return false;
  }
  const unit = unitBelow(above, value["from"]);
  return unit.from === value["from"] && unit.to === value["to"];
}

function isStored(value: unknown): value is Stored {
  return isRecord(value) && value["kind"] === "stored" && isCount(value["epoch"]) && isSha256(value["sha256"]);
}

function isLeaf(value: Fields, unit: Unit): value is Fields & Leaf {
  const isListOf = <Name extends ListName>(name: Name) => isList(value[name], KINDS[name], unit, IS_ENTRY[name]);
  return value["kind"] === "leaf" && LIST_NAMES.every((name) => isListOf(name));
}

/** In order, without repetition, all within the unit. */
function isList<T>(value: unknown, { timeOf, compare }: Kind<T>, unit: Unit, isEntry: (entry: Fields) => boolean) {
  return (
    Array.isArray(value) &&
    value.every(
      (entry, index) =>
        isRecord(entry) &&
        isEntry(entry) &&
        isTimeIn(timeOf(value[index]), unit) &&
        (index === 0 || compare(value[index - 1], value[index]) < 0),
    )
  );
}

const IS_ENTRY: Readonly<Record<ListName, (entry: Fields) => boolean>> = {
  dataFiles: ({ key, from, to, rows, exceptions, setHash, firstTrade, lastTrade, first, last }) =>
    isText(key) &&
    isBefore(from, to) &&
    [rows, exceptions].every(isCount) &&
    isSha256(setHash) &&
    [firstTrade, lastTrade, first, last].every(isTime),
  windows: ({ from, to, pagesHash, rawResponses }) =>
    isBefore(from, to) && isText(pagesHash) && Array.isArray(rawResponses) && rawResponses.every(isText),
  restatements: ({ key, seq, rows, firstTrade, lastTrade }) =>
    isText(key) && [seq, rows].every(isCount) && [firstTrade, lastTrade].every(isTime),
};

function isSum(value: unknown): value is Sum {
  return isRecord(value) && SUM_FIELDS.every((field) => IS_SUM_FIELD[field](value[field]));
}

const IS_SUM_FIELD: Readonly<Record<keyof Sum, (value: unknown) => boolean>> = {
  dataFiles: isCount,
  windows: isCount,
  restatements: isCount,
  fills: isCount,
  exceptions: isCount,
  setHash: isSha256,
  firstTrade: isTimeOrNull,
  lastTrade: isTimeOrNull,
  dataFilesTo: isTime,
  windowsTo: isTime,
  restated: isCount,
  restatedTo: isTimeOrNull,
};
const SUM_FIELDS = Object.keys(IS_SUM_FIELD) as readonly (keyof Sum)[];

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return isTime(value) && value >= 0;
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isTimeOrNull(value: unknown): value is number | null {
  return value === null || isTime(value);
}

function isTimeIn(value: unknown, { from, to }: Unit): value is number {
  return isTime(value) && from <= value && value < to;
}

function isBefore(from: unknown, to: unknown): boolean {
  return isTime(from) && isTime(to) && from < to;
}

/** Also for set-hashes, which have the same form. */
function isSha256(value: unknown): boolean {
  return isText(value) && /^[0-9a-f]{64}$/.test(value);
}

import { contentOf, FIELD_NAMES, type Fill, identityOf, isSameContent, plainFill } from "./fill.ts";
import type { FillFields, PlainFill } from "./plain-fill.ts";
import { compareText } from "./text.ts";

/**
 * The key in `extra` for other versions of a fill in the same answer. Each is listed by the fields in which
 * it differs. No field of the service has such a name.
 */
export const ALSO_ANSWERED = "fillbook:alsoAnswered";

/** The fields that a version may lack. */
const { matchId: _matchId, orderId: _orderId, txCreated: _txCreated, ...WIRE_NAMES } = FIELD_NAMES;
const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(WIRE_NAMES));

/** `fill`, completed by fields that it lacks and `other` has. A field of the wrong type is not lacking. */
export function completed(fill: PlainFill, other: PlainFill): PlainFill {
  const lacking = Object.entries(WIRE_NAMES)
    .filter(([field, wire]) => fill[field as keyof FillFields] === null && !hasExtra(fill, wire))
    .map(([field]) => [field, other[field as keyof FillFields]]);
  const unknown = Object.entries(other.extra ?? {}).filter(([key]) => !(KNOWN_NAMES.has(key) || hasExtra(fill, key)));
  const extra = [...Object.entries(fill.extra ?? {}), ...unknown];
  return { ...fill, ...Object.fromEntries(lacking), extra: extra.length === 0 ? null : Object.fromEntries(extra) };
}

function hasExtra(fill: Fill, key: string): boolean {
  return fill.extra !== null && Object.hasOwn(fill.extra, key);
}

/** True unless one of them only has more fields than the other. */
function contradicts(one: PlainFill, other: PlainFill): boolean {
  return !isSameContent(completed(one, other), completed(other, one));
}

/**
 * Handles one answer that holds several versions of a fill. Each version notes the others. Versions with one
 * `txCreated` become the first of them by content. So the result does not depend on the order of the rows.
 * Null: no fill has contradicting versions.
 */
export function notedRows(fills: readonly Fill[]): readonly Fill[] | null {
  let noted: Fill[] | null = null;
  for (const group of Map.groupBy(fills.keys(), (at) => identityOf(fills[at] as Fill)).values()) {
    const places = [...group];
    const versions = places.length === 1 ? [] : versionsIn(places.map((at) => plainFill(fills[at] as Fill)));
    if (versions.length > 1) {
      noted ??= [...fills];
      for (const at of places) {
        const own = versions.find(({ txCreated }) => txCreated === fills[at]?.txCreated) as PlainFill;
        noted[at] = withNote(own, versions);
      }
    }
  }
  return noted;
}

/** The versions that contradict each other, sorted by content. */
function versionsIn(fills: readonly PlainFill[]): readonly PlainFill[] {
  const versions: PlainFill[] = [];
  for (const fill of fills.toSorted(byContent)) {
    const at = versions.findIndex((one) => !contradicts(one, fill));
    if (at === -1) {
      versions.push(fill);
    } else {
      versions[at] = completed(versions[at] as PlainFill, fill);
    }
  }
  return versions.sort(byContent);
}

function byContent(a: Fill, b: Fill): number {
  return compareText(contentOf(a), contentOf(b));
}

/** The fill, which has no note yet, with a note on how the other versions differ. */
export function withNote(fill: PlainFill, versions: readonly PlainFill[]): PlainFill {
  const differences = new Map(
    versions
      .filter((one) => !isSameContent(one, fill))
      .toSorted(byContent)
      .map((one) => [contentOf(one), differenceOf(one, fill)]),
  );
  return differences.size === 0
    ? fill
    : { ...fill, extra: { ...fill.extra, [ALSO_ANSWERED]: [...differences.values()] } };
}

function differenceOf(version: PlainFill, fill: PlainFill): Partial<PlainFill> {
  const same = (field: keyof FillFields) => isSameContent({ ...fill, [field]: version[field] }, fill);
  return Object.fromEntries(Object.entries(version).filter(([field]) => !same(field as keyof FillFields)));
}

export function withoutNote(one: Fill): PlainFill {
  const fill = plainFill(one);
  if (!hasExtra(fill, ALSO_ANSWERED)) {
    return fill;
  }
  const { [ALSO_ANSWERED]: _, ...extra } = fill.extra ?? {};
  return { ...fill, extra: Object.keys(extra).length === 0 ? null : extra };
}

/** The other versions that a fill's note lists. Empty without a note. */
export function otherVersions(fill: Fill): readonly PlainFill[] {
  const note = fill.extra?.[ALSO_ANSWERED];
  if (!Array.isArray(note)) {
    return [];
  }
  const base = withoutNote(fill);
  return note.map((difference: Partial<PlainFill>) => ({ ...base, ...difference }));
}

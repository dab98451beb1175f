import type { Fill } from "../core/fill.ts";
import { covers, halves, isWithin, overlaps, widthOf } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { type Draft, draftOf, fillsOf, isTwiceIn, joinedDraft } from "./data-file.ts";
import type { DataFile } from "./manifest.ts";
import { mergeFills, type Restatement } from "./merge.ts";

/** A month is one data file; one with more fills is halved, and halved again, by time alone. */
export const MOST_FILLS = 50_000;
/** Fewer are compared one by one; more are joined as text, if they came in turn. */
const FEW_FILLS = 5000;

type Source = DataFile | Draft;

export interface CutPorts {
  readonly textIn: (file: DataFile) => Promise<Buffer>;
  /** Writes a part, or finds it among the files that there are. */
  readonly write: (part: Draft) => Promise<DataFile>;
  readonly mostFills?: number;
  readonly fewFills?: number;
}

export interface Cut {
  /** In order of time. */
  readonly files: readonly DataFile[];
  readonly added: readonly Fill[];
  readonly restated: readonly Restatement[];
  readonly removed: readonly Fill[];
}

/**
 * Cuts a month anew. The same fills give the same parts, whatever sources they came in: a part is a range with at
 * most `mostFills` fills whose parent has more. Parts that nothing touches stay. `incoming`: newer than all
 * sources, and compared with them one by one. `gone`: fills that are held no longer.
 */
export async function cutMonth(
  month: TimeRange,
  {
    sources,
    incoming = [],
    gone = [],
  }: {
    readonly sources: readonly Source[];
    readonly incoming?: readonly Fill[];
    readonly gone?: readonly Fill[];
  },
  { textIn, write, mostFills = MOST_FILLS, fewFills = FEW_FILLS }: CutPorts,
): Promise<Cut> {
  const found: { added: Fill[]; restated: Restatement[]; removed: Fill[] } = { added: [], restated: [], removed: [] };
  const goneRows = new Set(gone.map(({ row }) => row));

  /** The parts of a range, in order of time. They are written unless they may become part of a larger one. */
  const cut = async (range: TimeRange): Promise<readonly Source[]> => {
    const held = sources.filter((one) => overlaps(one, range));
    // A file that reaches beyond the range says little of it: what it gives is divided in memory.
    const inside = held.filter((one) => covers([range], one));
    const fills = within(range, incoming);
    const isChanged = fills.length + within(range, gone).length > 0;
    if (!isChanged && inside.length === held.length && held.every(({ kind }) => kind === "part")) {
      return held;
    }
    const most = fills.length + sumOf(inside);
    if (most > mostFills && inside.length > 1 && widthOf(range) > 1) {
      return await cutHalves(range);
    }
    const whole = isChanged || most <= fewFills ? [] : await joined(range, held);
    if (sumOf(whole) > mostFills && widthOf(range) > 1) {
      return await cutHalves(range); // too many by what reaches into the range
    }
    return whole.length > 0 ? whole : divided(range, await merged(range));
  };

  const cutHalves = async (range: TimeRange): Promise<readonly Source[]> => {
    const before = Object.values(found).map((list) => [list, list.length] as const);
    const [older, younger] = halves(range);
    const parts = [...(await cut(older)), ...(await cut(younger))];
    const whole = sumOf(parts) > mostFills ? await written(parts) : await joined(range, parts);
    if (whole.length > 0) {
      return whole;
    }
    for (const [list, length] of before) {
      list.length = length; // the rows of both halves are compared once more
    }
    return divided(range, await merged(range));
  };

  /** Sources of which only neighbours overlap as one. Parses what reaches beyond the range. Empty: compare rows. */
  const joined = async (range: TimeRange, all: readonly Source[]): Promise<readonly Draft[]> => {
    const byTime = all.toSorted((a, b) => a.from - b.from);
    if (byTime.some(({ from }, at) => from < (byTime[at - 2]?.to ?? from))) {
      return [];
    }
    let whole: Draft | null = draftOf({ ...range, kind: "part" }, []);
    for (const one of byTime) {
      whole &&= joinedDraft(whole, await draftWithin(range, one));
    }
    return whole === null || isTwiceIn(whole) ? [] : [whole];
  };

  const draftWithin = async (range: TimeRange, one: Source): Promise<Draft> => {
    if (!covers([range], one)) {
      return draftOf(one, await fillsWithin(range, one));
    }
    return "texts" in one ? one : { ...one, texts: [await textIn(one)] };
  };

  const merged = async (range: TimeRange) => {
    const layers: (readonly Fill[])[] = [];
    for (const one of sources.filter((source) => overlaps(source, range))) {
      const all = await fillsWithin(range, one);
      layers.push(all.filter(({ row }) => !goneRows.has(row)));
      found.removed.push(...all.filter(({ row }) => goneRows.has(row)));
    }
    const all = mergeFills([...layers, within(range, incoming)]);
    found.added.push(...all.added);
    found.restated.push(...all.restated);
    return all.fills;
  };

  const divided = (range: TimeRange, all: readonly Fill[]): readonly Draft[] => {
    const fills = within(range, all);
    const [older, younger] = halves(range);
    return fills.length > mostFills && widthOf(range) > 1
      ? [...divided(older, fills), ...divided(younger, fills)]
      : [draftOf({ ...range, kind: "part" }, fills)].filter((part) => part.fills > 0);
  };

  const written = async (parts: readonly Source[]): Promise<readonly DataFile[]> => {
    const files: DataFile[] = [];
    for (const part of parts) {
      files.push("texts" in part ? await write(part) : part);
    }
    return files;
  };

  const fillsWithin = async (range: TimeRange, one: Source) =>
    within(range, "texts" in one ? one.texts.flatMap(fillsOf) : fillsOf(await textIn(one)));

  return { files: await written(await cut(month)), ...found };
}

function within(range: TimeRange, fills: readonly Fill[]): readonly Fill[] {
  return fills.filter(({ txCreated }) => isWithin(range, txCreated));
}

function sumOf(all: readonly Pick<DataFile, "fills">[]): number {
  return all.reduce((sum, { fills }) => sum + fills, 0);
}

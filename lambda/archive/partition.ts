import type { Fill } from "../core/fill.ts";
import { halves, isWithin, middleOf, overlaps } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { inOneText, joinedRows, type Rows, rowsOf } from "./data-file.ts";
import type { DataFile } from "./manifest.ts";
import { type Merged, mergeFills, type Restatement } from "./merge.ts";

/** A month is one data file; one with more fills is halved, and halved again, by time alone. */
export const MOST_FILLS = 50_000;
/** So many are merged at once, about: what is merged waits as text. */
const MERGED_FILLS = 5000;

export interface CutPorts {
  readonly load: (file: DataFile) => Promise<readonly Fill[]>;
  readonly rowsIn: (file: DataFile) => Promise<Rows>;
  /** Writes a part, or finds it among the files that there are. */
  readonly write: (rows: Rows, range: TimeRange) => Promise<DataFile>;
  readonly mostFills?: number;
  readonly mergedFills?: number;
}

export interface Cut {
  /** In order of time. */
  readonly files: readonly DataFile[];
  readonly added: readonly Fill[];
  readonly restated: readonly Restatement[];
  readonly removed: readonly Fill[];
}

/** A range whose fills fit into one file and are not written yet, or what was written of it. */
type Piece = { readonly range: TimeRange; readonly rows: Rows } | { readonly files: readonly DataFile[] };

/**
 * Cuts a month anew with `incoming`. The same fills give the same parts, whatever files they came in:
 * a part is a range with at most `mostFills` fills whose parent has more. Parts that nothing touches stay.
 * `gone`: rows that are held no longer.
 */
export async function cutMonth(
  month: TimeRange,
  { files, incoming, gone }: { files: readonly DataFile[]; incoming: readonly Fill[]; gone: ReadonlySet<Fill["row"]> },
  { load, rowsIn, write, mostFills = MOST_FILLS, mergedFills = MERGED_FILLS }: CutPorts,
): Promise<Cut> {
  const added: Fill[] = [];
  const restated: Restatement[] = [];
  const removed: Fill[] = [];
  const isGone = gone.size > 0;

  /** `isOne`: the range becomes part of one file, and the files that are held of it do not stay. */
  const cut = async (
    range: TimeRange,
    held: readonly DataFile[],
    fills: readonly Fill[],
    isOne: boolean,
  ): Promise<Piece> => {
    if (held.length === 0 && fills.length === 0) {
      return { range, rows: rowsOf([]) };
    }
    // A file that reaches beyond the range says little of it: what it gives is divided in memory.
    const inside = held.filter((file) => liesIn(range, file));
    const isSettled = inside.length === held.length && held.every(({ kind }) => kind === "part");
    if (fills.length === 0 && isSettled && !isGone && !isOne) {
      return { files: held };
    }
    const most = inside.reduce((sum, file) => sum + file.fills, fills.length);
    const middle = middleOf(range);
    if (most <= Math.min(mostFills, mergedFills) || middle === range.from || inside.length <= 1) {
      const merged = await merge(range, held, fills);
      added.push(...merged.added);
      restated.push(...merged.restated);
      return await divided(range, merged.fills);
    }
    const rows = fills.length === 0 && most <= mostFills ? await inOne(range, held) : null;
    if (rows !== null) {
      return { range, rows };
    }
    const halfOf = async (half: TimeRange): Promise<Piece> => {
      const own = held.filter((file) => overlaps(file, half));
      const incomingOf = fills.filter(({ txCreated }) => isWithin(half, txCreated));
      return await cut(half, own, incomingOf, isOne || most <= mostFills);
    };
    const [first, second] = halves(range);
    const older = await halfOf(first);
    return await joined(range, older, await halfOf(second));
  };

  /** Parses only files that reach beyond the range. Null: rows must be compared, or divided. */
  const inOne = async (range: TimeRange, held: readonly DataFile[]): Promise<Rows | null> => {
    if (isGone || !isInTurn(held)) {
      return null;
    }
    let all: Rows | null = rowsOf([]);
    for (const file of byTime(held)) {
      all &&= inOneText(all, liesIn(range, file) ? await rowsIn(file) : rowsOf(await fillsIn(range, file)));
    }
    return all !== null && all.fills <= mostFills ? all : null;
  };

  const fillsIn = async (range: TimeRange, file: DataFile) =>
    (await load(file)).filter(({ txCreated }) => isWithin(range, txCreated));

  const merge = async (range: TimeRange, held: readonly DataFile[], fills: readonly Fill[]): Promise<Merged> => {
    const layers: (readonly Fill[])[] = [];
    for (const file of held) {
      const all = await fillsIn(range, file);
      layers.push(isGone ? all.filter((fill) => !gone.has(fill.row)) : all);
      removed.push(...(isGone ? all.filter((fill) => gone.has(fill.row)) : []));
    }
    return mergeFills([...layers, fills]);
  };

  const divided = async (range: TimeRange, fills: readonly Fill[]): Promise<Piece> => {
    const middle = middleOf(range);
    if (fills.length <= mostFills || middle === range.from) {
      return { range, rows: rowsOf(fills) };
    }
    const found = fills.findIndex(({ txCreated }) => txCreated >= middle);
    const at = found === -1 ? fills.length : found;
    const [first, second] = halves(range);
    const older = await divided(first, fills.slice(0, at));
    return await joined(range, older, await divided(second, fills.slice(at)));
  };

  const joined = async (range: TimeRange, older: Piece, younger: Piece): Promise<Piece> => {
    if ("rows" in older && "rows" in younger && older.rows.fills + younger.rows.fills <= mostFills) {
      return { range, rows: joinedRows(older.rows, younger.rows) };
    }
    return { files: [...(await written(older)), ...(await written(younger))] };
  };

  const written = async (piece: Piece): Promise<readonly DataFile[]> => {
    if ("files" in piece) {
      return piece.files;
    }
    return piece.rows.fills === 0 ? [] : [await write(piece.rows, piece.range)];
  };

  return { files: await written(await cut(month, files, incoming, false)), added, restated, removed };
}

function byTime(files: readonly DataFile[]): readonly DataFile[] {
  return files.toSorted((a, b) => a.from - b.from);
}

/** One begins where another ends, or in its last millisecond. */
function isInTurn(files: readonly DataFile[]): boolean {
  return byTime(files).every(({ from }, place, all) => place === 0 || (all[place - 1] as DataFile).to - 1 <= from);
}

function liesIn(range: TimeRange, { from, to }: TimeRange): boolean {
  return range.from <= from && to <= range.to;
}

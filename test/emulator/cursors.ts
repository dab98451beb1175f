import { hash32, hashText } from "../support/prng.ts";
import type { Switches } from "./switches.ts";
import type { Dates } from "./windows.ts";

/** Where the next page of a chain begins. */
export interface Position {
  /** of the chain's first request */
  readonly dates: Dates;
  /** rank of the next row to serve; with `offsetCursors`, how many rows of the answer come before it */
  readonly rank: number;
  /** rows that count towards `rowCap`; 0 without one */
  readonly served: number;
  /** pages of the chain answered so far */
  readonly page: number;
  /** empty pages answered at this rank so far */
  readonly empties: number;
  /** The cursors that led here, newest last: as many as a cycle needs. */
  readonly trail: readonly string[];
  /** the chain has ended: this cursor leads to an empty page */
  readonly ended: boolean;
}

export interface Issued {
  readonly position: Position;
  readonly atMs: number;
  /** completed-orders answers given when it was issued */
  readonly pagesAnswered: number;
}

/** Cursors given out. Their texts say nothing; the position is kept here. */
export interface Cursors {
  issue(position: Position, atMs: number, pagesAnswered: number): string;
  /**
   * A value that is no opaque text (`""`, `"0"`): it means the chain of the dates that come with it, or the
   * newest one when none come.
   */
  issueAs(value: string, position: Position, atMs: number, pagesAnswered: number): string;
  find(cursor: string, dates: Dates): Issued | undefined;
}

export function createCursors(seed: number, switches: () => Switches): Cursors {
  const opaque = new Map<string, Issued>();
  const plain = new Map<string, Issued>();
  const newest = new Map<string, Issued>();
  let count = 0;
  return {
    issue(position, atMs, pagesAnswered) {
      count += 1;
      const { dates, rank, page, empties, ended, served } = position;
      const nonce = switches().freshCursors ? count : 0;
      const content = `${dates.startDate},${dates.endDate},${rank},${page},${empties},${ended},${nonce}${served === 0 ? "" : `,${served}`}`;
      const hash = hashText(content);
      const bytes = Uint32Array.of(hash32(seed, hash, 41), hash32(seed, hash, 42), hash32(seed, rank, page, nonce));
      const text = Buffer.from(bytes.buffer).toString("base64url");
      opaque.set(text, { position, atMs, pagesAnswered });
      return text;
    },
    issueAs(value, position, atMs, pagesAnswered) {
      const issued = { position, atMs, pagesAnswered };
      plain.set(plainKey(value, position.dates), issued);
      newest.set(value, issued);
      return value;
    },
    find(cursor, dates) {
      const hasDates = dates.startDate !== undefined || dates.endDate !== undefined;
      return opaque.get(cursor) ?? plain.get(plainKey(cursor, dates)) ?? (hasDates ? undefined : newest.get(cursor));
    },
  };
}

function plainKey(value: string, dates: Dates): string {
  return `${value} ${dates.startDate} ${dates.endDate}`;
}

import { hash32, hashText } from "../support/prng.ts";
import type { Dates } from "./windows.ts";

/** Where the next page of a chain begins. */
export interface Position {
  /** of the chain's first request, as sent */
  readonly dates: Dates;
  /** rank of the next row to serve; with `offsetCursors`, how many rows of the answer come before it */
  readonly rank: number;
  /** rows that count towards `rowCap`; 0 without one */
  readonly served: number;
  /** pages of the chain answered so far */
  readonly page: number;
  /** empty pages answered at this rank so far */
  readonly empties: number;
  /** The newest cursors that led here, newest last. Kept as long as a cycle needs. */
  readonly trail: readonly string[];
  /** the chain has ended: this cursor returns an empty page without `last` */
  readonly ended: boolean;
}

export interface Issued {
  readonly position: Position;
  readonly atMs: number;
  /** the number of pages that the emulator had answered when it issued the cursor */
  readonly pagesAnswered: number;
}

/** The cursors that were issued. An opaque cursor's text holds no information; its position is kept here. */
export interface Cursors {
  issue(position: Position, atMs: number, pagesAnswered: number): string;
  /**
   * Issues a given value (`""`, `"0"`) instead of an opaque text. The value names the chain of the dates sent
   * with it, or the newest chain if no dates are sent.
   */
  issueAs(value: string, position: Position, atMs: number, pagesAnswered: number): string;
  find(cursor: string, dates: Dates): Issued | undefined;
}

export function createCursors(seed: number): Cursors {
  const opaque = new Map<string, Issued>();
  const plain = new Map<string, Issued>();
  const newest = new Map<string, Issued>();
  return {
    issue(position, atMs, pagesAnswered) {
      const { dates, rank, page, empties, ended, served } = position;
      const content = `${dates.startDate},${dates.endDate},${rank},${page},${empties},${ended}${served === 0 ? "" : `,${served}`}`;
      const hash = hashText(content);
      const bytes = Uint32Array.of(hash32(seed, hash, 41), hash32(seed, hash, 42), hash32(seed, rank, page));
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

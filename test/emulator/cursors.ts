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
export function createCursors(seed: number) {
  const kept = new Map<string, Issued>();
  return {
    /**
     * `plain`: a value (`""`, `"0"`) instead of an opaque text. It names the chain of the dates sent with it, or the
     * newest chain if no dates are sent.
     */
    issue(issued: Issued, plain?: string): string {
      const { dates, rank, page, empties, ended, served } = issued.position;
      if (plain !== undefined) {
        kept.set(plainKey(plain, dates), issued).set(plainKey(plain, {}), issued);
        return plain;
      }
      const hash = hashText([dates.startDate, dates.endDate, rank, page, empties, ended, served].join());
      const words = Uint32Array.of(hash32(seed, hash, 41), hash32(seed, hash, 42), hash);
      const text = Buffer.from(words.buffer).toString("base64url");
      kept.set(text, issued);
      return text;
    },
    find: (cursor: string, dates: Dates) => kept.get(cursor) ?? kept.get(plainKey(cursor, dates)),
  };
}

function plainKey(value: string, dates: Dates): string {
  return `${value} ${dates.startDate} ${dates.endDate}`;
}

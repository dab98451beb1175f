/** A page of a list that is too long for one. */
export interface Paging {
  /** From 1. */
  readonly number: number;
  /** How many pages there are, at least 1. */
  readonly pages: number;
  /** What of the list it shows, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Length of the list. */
  readonly total: number;
}

/** The page that a query asks for: what is no number is the first, and one beyond the end the last. `size`: entries of a page. */
export function pagingOf(total: number, size: number, asked: string | null): Paging {
  const pages = Math.max(1, Math.ceil(total / size));
  const number = Math.min(pages, /^[1-9]\d{0,8}$/.test(asked ?? "") ? Number(asked) : 1);
  const from = (number - 1) * size;
  return { number, pages, from, to: Math.min(total, from + size), total };
}

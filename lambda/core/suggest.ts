/** The name that was probably meant: the nearest one by edits, if it is near enough to suggest. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  return names
    .map((name) => ({ name, edits: typed.length > 1 && name.startsWith(typed) ? 1 : editDistance(typed, name) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)[0]?.name;
}

/**
 * The last day of the month where a date has a day that its month does not: `2025-02-28` for `2025-02-30`;
 * null: else.
 */
export function lastDayInstead(date: string): string | null {
  const [, month = "", day = ""] = /^(\d{4}-(?:0[1-9]|1[0-2]))-(2[89]|3[01])$/.exec(date) ?? [];
  if (month === "") {
    return null;
  }
  const [year = 0, number = 0] = month.split("-").map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate(); // day 0 of the next month
  return Number(day) > last ? `${month}-${last}` : null;
}

/**
 * The number of edits between two texts: insert, remove or replace a character, or swap two neighbours
 * (optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = swaps ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(replaced, swapped, at(last, column) + 1, at(next, column - 1) + 1));
    }
    before = last;
    last = next;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}

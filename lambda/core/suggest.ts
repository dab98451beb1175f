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
  const rows: number[][] = [];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 0; row <= a.length; row += 1) {
    const own: number[] = [];
    rows.push(own);
    for (let column = 0; column <= b.length; column += 1) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = swaps ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      const edits = Math.min(replaced, swapped, at(row - 1, column) + 1, at(row, column - 1) + 1);
      own.push(row + column === 0 ? 0 : edits);
    }
  }
  return at(a.length, b.length);
}

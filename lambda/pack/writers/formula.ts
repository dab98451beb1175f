/** The place of a column in a filled table. */
export interface Place {
  /** The sheet's name in a formula of another sheet: `'Months'`. */
  readonly sheet: string;
  readonly letter: string;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** Selects rows whose cell in the column has the text of the other cell. */
export interface Criterion {
  readonly column: Place;
  /** `$B16`, on the sheet of the formula. */
  readonly cell: string;
}

/** Text that SUMIFS matches literally: no wildcard, no comparison, no number or date, no truth value. */
const LITERAL = /^(?!true$|false$)[a-z][a-z ,]{0,200}$/i;

/**
 * The sum of a column over the rows that meet all criteria, on the sheet `from`. SUMIFS reads some texts as
 * patterns, and does not tell `usdt` from `USDT`. If `texts` (all texts in the criteria's columns) make that
 * possible, an exact comparison is used instead.
 */
export function sumWhere(
  from: string,
  column: Place,
  criteria: readonly Criterion[],
  texts: readonly string[],
): string {
  const values = rangeOf(column, from);
  const folded = new Set(texts.map((text) => text.toLowerCase()));
  if (folded.size === new Set(texts).size && texts.every((text) => LITERAL.test(text))) {
    return `SUMIFS(${[values, ...criteria.flatMap((one) => [rangeOf(one.column, from), one.cell])].join(",")})`;
  }
  const matches = criteria.map((one) => `EXACT(${rangeOf(one.column, from)},${one.cell})`);
  return `SUMPRODUCT(${[...matches, "1"].join("*")},${values})`;
}

function rangeOf({ sheet, letter, firstRow, lastRow }: Place, from: string): string {
  const cells = `$${letter}$${firstRow}:$${letter}$${lastRow}`;
  return sheet === from ? cells : `${sheet}!${cells}`;
}

import { clockText } from "./clock-text.ts";
import { formatUnits } from "./decimal.ts";
import { counted } from "./text.ts";

/** What was understood of a line of the user's opening-positions.csv, and what of a pack follows it. */
export interface DeclaredLine {
  /** Null: every market without a line of its own. */
  readonly market: string | null;
  /** Signed, × 10^18. */
  readonly quantity: bigint;
  /** ms UTC: it holds before the first fill at or after this time. */
  readonly asOf: number;
  /** ms UTC: since when fills of the market are missing. Absent: none are. */
  readonly breakFrom?: number;
  /** False: the archive does not cover all time from then up to the period, so that the line says nothing of the pack. Null: there is no pack. */
  readonly isUsed: boolean | null;
  /** Fills of the pack that the line is for, at its time or later; null: it is not used, or there is no pack. */
  readonly fillsAfter: number | null;
}

/** A sentence each of the first lines, without its full stop, and one that says how many more there are. Times are as the zone's clocks show them. */
export function declaredTexts(lines: readonly DeclaredLine[], zone: string, most: number): string[] {
  const left = lines.length - most;
  return [
    ...lines.slice(0, most).map((line) => declaredText(line, zone)),
    ...(left > 0
      ? [`${counted(left, "more line")} of opening-positions.csv ${left === 1 ? "is" : "are"} not shown`]
      : []),
  ];
}

function declaredText({ market, quantity, asOf, breakFrom, isUsed, fillsAfter }: DeclaredLine, zone: string): string {
  const what = market === null ? "no position in any other market" : `${formatUnits(quantity)} ${market}`;
  const after = breakFrom === undefined ? "" : `, after a break from ${clockText(breakFrom, zone)} on`;
  const declared = `Declared ${what} at ${clockText(asOf, zone)}${after}`;
  if (isUsed === false) {
    return `${declared}; not used, because the archive does not cover all time from then up to the period`;
  }
  if (fillsAfter === null) {
    return declared;
  }
  const fills = `${fillsAfter === 0 ? "no fills" : counted(fillsAfter, "fill")} of ${market === null ? "other markets" : "that market"}`;
  return `${declared}; ${fills} ${fillsAfter === 1 ? "comes" : "come"} after it in this pack`;
}

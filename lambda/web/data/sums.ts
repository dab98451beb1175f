import papaparse from "papaparse";
import { formatUnits, parseDecimal } from "../../core/decimal.ts";
import { compareText } from "../../core/text.ts";
import { SUM_FIGURES, type SumChange, type SumFigure } from "../ports.ts";

/** Columns that name a row of summary.csv, and those that are compared. */
type Row = Partial<Readonly<Record<"scope" | "currency" | "market" | "chosen" | SumFigure, string>>>;

/**
 * What two summary.csv say of each currency, and of each market what differs, as the method says that each pack was asked for. Currencies first; sums that
 * neither knows are left out.
 */
export function sumChanges(before: string, after: string): SumChange[] {
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return names
    .flatMap((name) => changesOf(was.get(name) ?? {}, is.get(name) ?? {}))
    .filter((sum) => (sum.market === null ? sum.before !== "" || sum.after !== "" : sum.before !== sum.after))
    .toSorted((a, b) => Number(a.market !== null) - Number(b.market !== null));
}

function rowsOf(text: string): ReadonlyMap<string, Row> {
  const { data } = papaparse.parse<Row>(text.replace(/^\uFEFF/, ""), {
    header: true,
    delimiter: ",",
    skipEmptyLines: true,
  });
  const compared = data.filter(({ scope, chosen }) => (scope === "total" || scope === "market") && chosen === "yes");
  return new Map(compared.map((row) => [JSON.stringify([row.currency, row.market]), row]));
}

function changesOf(was: Row, is: Row): SumChange[] {
  const market = (was.market ?? is.market) || null;
  const currency = was.currency ?? is.currency ?? "";
  return SUM_FIGURES.map((figure) => {
    const [before, after] = [was[figure] ?? "", is[figure] ?? ""];
    return { currency, market, figure, before, after, difference: differenceOf(before, after) };
  });
}

/** `after − before`, exact; null: one of them is not known, or has more digits than are reckoned with here. */
function differenceOf(before: string, after: string): string | null {
  const [was, is] = [parseDecimal(before), parseDecimal(after)];
  return was === null || is === null ? null : formatUnits(is.units - was.units);
}

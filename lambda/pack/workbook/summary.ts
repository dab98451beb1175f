import { comparedOf, convertedOf, type FigureKey, figureOf, ownOf } from "../../accounting/cube/figures.ts";
import { type Known, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import type { PackContext } from "../make/maker.ts";
import { money, note, text } from "../tables/column.ts";
import { figureLabel, shownFigures } from "../tables/figure-column.ts";
import type { SheetTable } from "../tables/table.ts";

interface Row {
  readonly currency: string;
  readonly label: string;
  readonly own: Known | null;
  readonly compared: Known | null;
}

/** A sheet: the amounts of each currency, also as exact text. Those in the reporting currency come first. */
export function summaryTable(context: PackContext): SheetTable<Row> {
  const { primary, reference } = context.methods;
  const [own, beside] = [METHOD_NAMES[primary], METHOD_NAMES[reference]];
  return {
    path: "summary.csv",
    description: "",
    columns: [
      text("currency", "", (row) => row.currency, { width: 12 }),
      note("figure", "", ({ label }) => label, { width: 60 }),
      money(["own", own], "", (row) => row.own?.amount),
      money(["compared", beside], "", ({ compared }) => compared?.amount),
      text(["own_exact", `Exact: ${own}`], "", (row) => row.own?.amount?.toString(), { width: 36 }),
      text(["compared_exact", `Exact: ${beside}`], "", ({ compared }) => compared?.amount?.toString(), { width: 36 }),
      note("note", "", noteOf, { width: 70 }),
    ],
    sheet: {
      title: "Summary",
      about: `${own}, with ${beside} for comparison.`,
      nothing: "There was no activity in the period, and no position is open.",
    },
    rows: {
      atEnd: ({ sums }) =>
        rowsOf(
          shownFigures(context).filter((key) => figureOf(key).unit === "amount"),
          sums,
        ),
    },
  };
}

function rowsOf(keys: readonly FigureKey[], sums: Sums): Row[] {
  const converted = (sums.currency === null ? [] : scopesOf(sums, [])).flatMap((scope) =>
    keys
      .filter((key) => figureOf(key).converted !== undefined)
      .map((key) => ({
        currency: sums.currency ?? "",
        label: `${figureLabel(key, scope.cell.converted ?? scope.cell)}, converted`,
        own: convertedOf(key, scope),
        compared: null,
      })),
  );
  const settled = scopesOf(sums, ["currency"]).flatMap((scope) =>
    keys.map((key) => ({
      currency: scope.cell.currency || "not known",
      label: figureLabel(key, scope.cell),
      own: ownOf(key, scope),
      compared: figureOf(key).isCompared === true ? comparedOf(key, scope) : null,
    })),
  );
  return [...converted, ...settled];
}

/** An empty cell never stands alone. */
function noteOf({ own }: Row): string {
  const codes = own?.lacks.join(", ") ?? "";
  if (codes === "") {
    return "";
  }
  return own?.amount === null ? `Not known: ${codes}` : `Partial total: ${codes}`;
}

import type { KnownSum } from "../../../accounting/aggregate.ts";
import type { PackContext } from "../../build/maker.ts";
import { AMOUNT_WIDTH } from "./cells.ts";
import { methodNames } from "./labels.ts";
import type { TableColumn } from "./table.ts";

/** A row of figures of one currency. */
export interface ActivityRow {
  readonly sums: KnownSum;
  readonly note: string;
}

type ActivityColumn = TableColumn<ActivityRow>;

/** Columns that Months and Markets share: what was done, and what each method makes of it. */
export function activityColumns(context: PackContext): ActivityColumn[] {
  const names = methodNames(context);
  return [
    counter("Fills", ({ fills }) => fills),
    counter("Of them not typed", ({ untyped }) => untyped),
    amount("volume", "Volume", ({ volume }) => volume),
    amount("feesPaid", "Fees paid", ({ feesPaid }) => feesPaid),
    amount("rebates", "Rebates", ({ rebates }) => rebates),
    ...([0, 1] as const).flatMap((method) => [
      amount(`gross${method}`, `Realised gross: ${names[method]}`, ({ results }) => results[method].gross),
      amount(`fees${method}`, `Fees recognised: ${names[method]}`, ({ results }) => results[method].fees),
      amount(`net${method}`, `Net excl. funding: ${names[method]}`, ({ results }) => results[method].net),
    ]),
    ...(context.funding === null ? [] : [amount("funding", "Funding", ({ funding }) => funding)]),
    counter("Closes", ({ closes }) => closes),
    counter("Closes of unknown PnL", ({ blankCloses }) => blankCloses),
    { head: "Note", width: 36, kind: "note", value: ({ note }) => note },
  ];
}

function amount(id: string, head: string, value: (sums: KnownSum) => bigint | null): ActivityColumn {
  return { id, head, width: AMOUNT_WIDTH, kind: "number", isSummed: true, value: ({ sums }) => value(sums) };
}

function counter(head: string, value: (sums: KnownSum) => number): ActivityColumn {
  return { head, width: 9, kind: "number", isSummed: true, value: ({ sums }) => value(sums) };
}

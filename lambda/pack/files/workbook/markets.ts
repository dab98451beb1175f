import { knownSumOf } from "../../../accounting/aggregate.ts";
import { amountOf } from "../../../accounting/amount.ts";
import type { Carried, MarketStatement, Statement } from "../../../accounting/statement.ts";
import type { PackContext } from "../../build/maker.ts";
import { type ActivityRow, activityColumns } from "./activity.ts";
import { AMOUNT_WIDTH, type Value } from "./cells.ts";
import { frameOf } from "./frame.ts";
import { currencyName, marketName, ORIGINS } from "./labels.ts";
import { currenciesOf, noteOf } from "./sums.ts";
import { type Table, TableWriter } from "./table.ts";

interface MarketRow extends ActivityRow {
  readonly currency: string;
  readonly statement: MarketStatement;
  /** Of the currency that the market is settled in: the others come with funding. */
  readonly isOwn: boolean;
}

/** Every market of the statement; one more row for each other currency in which funding was paid. */
export function marketsTable(context: PackContext, { cells, markets }: Statement): Table {
  const table = new TableWriter<MarketRow>({
    ...frameOf(context, "Markets", "Positions are signed: a short one is negative."),
    columns: [
      { head: "Market", width: 16, kind: "text", value: ({ statement }) => marketName(statement.market) },
      { id: "currency", head: "Currency", width: 10, kind: "text", value: ({ currency }) => currency },
      { head: "First position", width: 14, kind: "text", value: ({ statement }) => ORIGINS[statement.origin] },
      { head: "Contract type", width: 16, kind: "text", value: contractTypeOf },
      positionColumn("Position at the start", ({ before }) => before),
      positionColumn("Position at the end", ({ after }) => after),
      ...activityColumns(context),
    ],
    groupedBy: ["currency"],
    nothing: "No market has fills in the period, or a position at its start or end.",
    file: "summary.csv",
  });
  const byMarket = Map.groupBy(cells, ({ market }) => market);
  for (const statement of markets) {
    const own = byMarket.get(statement.market) ?? [];
    for (const currency of currenciesOf(own, [statement])) {
      const sums = knownSumOf(
        own.filter((cell) => currencyName(cell.currency) === currency),
        context.funding !== null,
      );
      const isOwn = currency === currencyName(statement.currency);
      const notes = [noteOf(sums, [statement]), isOwn ? positionNote(statement) : ""];
      table.add({ currency, statement, isOwn, sums, note: notes.filter((text) => text !== "").join(". ") });
    }
  }
  return table.finish();
}

function positionColumn(head: string, of: (statement: MarketStatement) => Carried) {
  const value = ({ statement, isOwn }: MarketRow): Value => {
    const { position } = of(statement);
    return position === null || !isOwn ? null : { quantity: amountOf(position) };
  };
  return { head, width: AMOUNT_WIDTH, kind: "number", value } as const;
}

/** No specification says that it is linear, and it is booked as if one did. */
export function isTakenAsLinear({ contractType, before, after }: MarketStatement): boolean {
  return contractType === null && [before, after].every(({ blank }) => blank !== "unsupported_contract_type");
}

function contractTypeOf({ statement }: MarketRow): Value {
  return statement.contractType ?? (isTakenAsLinear(statement) ? "assumed linear" : "not stated");
}

function positionNote({ before, after }: MarketStatement): string {
  return [
    { when: "start", ...before },
    { when: "end", ...after },
  ]
    .flatMap(({ when, position, blank }) =>
      position === null && blank !== null ? [`Position at the ${when} not known: ${blank}`] : [],
    )
    .join(". ");
}

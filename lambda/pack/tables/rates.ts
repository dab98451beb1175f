import type { RateUse } from "../../accounting/rates/uses.ts";
import { count, note, rate, text } from "./column.ts";
import type { SheetTable } from "./table.ts";

/** The rates that were used, from the user's files. A sheet and a list, no file. */
export function ratesTable(to: string): SheetTable<RateUse> {
  return {
    path: "realised-pnl.csv",
    description: "",
    columns: [
      text("from", "", (use) => use.currency, { width: 12 }),
      text("into", "", () => to, { width: 12 }),
      rate("rate", "", (use) => use.rate),
      text(["rate_date", "Date of the rate"], "", ({ rateDate }) => rateDate),
      count("lines", "", ({ lines }) => lines),
      note("source", "", ({ source }) => source, { width: 60 }),
    ],
    sheet: {
      title: "Rates",
      about: `Exchange rates into ${to}. The rate files are under inputs/rates/.`,
      nothing: "No rate was needed.",
    },
    rows: { atEnd: ({ sums }) => sums.rates },
  };
}

import type { FileMaker, PackContext } from "../../build/maker.ts";
import { pageOf } from "./page.ts";
import { ShownTrades } from "./shown-trades.ts";
import { viewOf } from "./view.ts";

/** report.html: the page that an accountant opens first. What it keeps until the end does not grow with fills. */
export function reportMaker(context: PackContext): FileMaker {
  const kept = new ShownTrades(context.period);
  return {
    path: "report.html",
    description:
      "The statement to read and to print: summary, months, markets, fees, positions, closed trades, exceptions, reconciliation, method, and the proof of completeness. One page without scripts; its digits may be cut, and the CSV files are the record.",
    mediatype: "text/html",
    begin: () => "",
    add: (batch) => {
      for (const booked of batch) {
        kept.add(booked);
      }
      return "";
    },
    end: (closing) => pageOf(viewOf(context, closing, kept)),
  };
}

import { divideHalfEven, formatAmount } from "../../accounting/amount.ts";
import { type Booked, isBlank, type Match } from "../../accounting/booked.ts";
import type { Trade } from "../../accounting/trade.ts";
import { formatUnits } from "../../core/decimal.ts";
import { isoTimes } from "../../core/time.ts";
import { memoizeLast } from "./memoize-last.ts";

/** One match of a close as files write it. Amounts have their sign. */
export interface FormattedMatch {
  readonly match: Match;
  readonly quantity: string;
  /** Under average cost, rounded half even to 18 places. */
  readonly openPrice: string;
  readonly openValue: string;
  readonly closeValue: string;
  readonly gross: string;
  readonly openFee: string;
  readonly closeFee: string;
  /** gross − openFee − closeFee */
  readonly net: string;
  /** ISO 8601 UTC */
  readonly openedAt: string;
}

/** A booked fill as files write it. The texts of numbers are empty if the fill cannot be classified. */
export interface FormattedAmounts {
  readonly booked: Booked;
  /** ISO 8601 UTC */
  readonly time: string;
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly closed: string;
  /** The realised PnL. "": there is none, or it is not known. */
  readonly gross: string;
  readonly matches: readonly FormattedMatch[];
  /** Its rows in tables of closes. */
  readonly closes: readonly CloseRow[];
}

/** A row in a table of closes: a match, or a close whose PnL is not known (`match` is null). */
export interface CloseRow {
  readonly own: FormattedAmounts;
  readonly trade: Trade;
  readonly match: FormattedMatch | null;
}

/** Formats a batch by the chosen method, in its order, once for all files of a pack. */
export function formatAmounts(): (batch: readonly Booked[]) => readonly FormattedAmounts[] {
  const isoOf = isoTimes();
  const isoOfOpening = isoTimes(); // of its own, since each is fast for times that come in order
  return memoizeLast((batch: readonly Booked[]) => batch.map((booked) => textsOfOne(booked, isoOf, isoOfOpening)));
}

type IsoOf = (ms: number) => string;

const NO_MATCHES: readonly FormattedMatch[] = [];
const UNTYPED = {
  ...{ quantity: "", price: "", fee: "", closed: "", gross: "" },
  ...{ matches: NO_MATCHES, closes: [] },
};

function textsOfOne(booked: Booked, isoOf: IsoOf, isoOfOpening: IsoOf): FormattedAmounts {
  const { trade, realised, closed } = booked;
  const time = isoOf(booked.time);
  if (trade === null) {
    return { ...UNTYPED, booked, time };
  }
  const { fill } = trade;
  const quantity = shortest(fill.quantity);
  const closes: CloseRow[] = [];
  const own = {
    booked,
    time,
    quantity,
    price: shortest(fill.price),
    fee: trade.fee === 0n ? "0" : shortest(fill.fee), // not -0
    closed: closed === trade.quantity ? quantity : formatUnits(closed),
    gross: "",
    matches: NO_MATCHES,
    closes,
  };
  if (realised !== null) {
    const matches = realised.matches.map((match) => matchTexts(match, own, isoOfOpening));
    const [first] = matches;
    own.gross =
      first !== undefined && first.match.gross === realised.gross ? first.gross : formatAmount(realised.gross);
    own.matches = matches;
    for (const match of matches) {
      closes.push({ own, trade, match });
    }
  } else if (isBlank(booked)) {
    closes.push({ own, trade, match: null });
  }
  return own;
}

/** The service's text of a number without trailing zeros. This equals the formatted number and costs less. */
function shortest(sent: string | null): string {
  const text = sent ?? "";
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function matchTexts(
  match: Match,
  own: Pick<FormattedAmounts, "booked" | "closed" | "fee">,
  isoOf: IsoOf,
): FormattedMatch {
  const { booked } = own;
  const { quantity, opener, openValue, gross, openFee, closeFee } = match;
  const isOneLot = openValue === quantity * opener.price;
  return {
    match,
    quantity: quantity === booked.closed ? own.closed : formatUnits(quantity),
    openPrice: formatUnits(isOneLot ? opener.price : divideHalfEven(openValue, quantity)),
    openValue: formatAmount(openValue),
    closeValue: formatAmount(match.closeValue),
    gross: formatAmount(gross),
    openFee: formatAmount(openFee),
    closeFee: closeFee === booked.trade?.fee ? own.fee : formatAmount(closeFee),
    net: formatAmount(gross - openFee - closeFee),
    openedAt: isoOf(opener.time),
  };
}

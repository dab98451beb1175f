import { type Booked, isBlank, type Match } from "../../accounting/booked.ts";
import type { Trade } from "../../accounting/trade.ts";
import { divide, PLACES } from "../../core/amount.ts";
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
  const closes: CloseRow[] = [];
  const own = {
    booked,
    time,
    quantity: String(trade.quantity),
    price: String(trade.price),
    fee: String(trade.fee),
    closed: String(closed),
    gross: "",
    matches: NO_MATCHES,
    closes,
  };
  if (realised !== null) {
    const matches = realised.matches.map((match) => matchTexts(match, isoOfOpening));
    own.gross = String(realised.gross);
    own.matches = matches;
    for (const match of matches) {
      closes.push({ own, trade, match });
    }
  } else if (isBlank(booked)) {
    closes.push({ own, trade, match: null });
  }
  return own;
}

function matchTexts(match: Match, isoOf: IsoOf): FormattedMatch {
  const { quantity, opener, openValue, gross, openFee, closeFee } = match;
  const isOneLot = openValue.eq(quantity.times(opener.price));
  return {
    match,
    quantity: String(quantity),
    openPrice: String(isOneLot ? opener.price : divide(openValue, quantity, PLACES)),
    openValue: String(openValue),
    closeValue: String(match.closeValue),
    gross: String(gross),
    openFee: String(openFee),
    closeFee: String(closeFee),
    net: String(gross.minus(openFee).minus(closeFee)),
    openedAt: isoOf(opener.time),
  };
}

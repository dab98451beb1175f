import { type Amount, least, type Sign, shareOf, signOf, totalOf, withSign, ZERO } from "../core/amount.ts";
import { FillbookError } from "../core/errors.ts";
import { isoTime } from "../core/time.ts";
import type { FillRow } from "../formats/fill-columns.ts";
import type { Booked, DeclaredPosition, Match, Opener, Realised, Result, RoundTrip, UnknownReason } from "./booked.ts";
import type { Carried } from "./carried.ts";
import type { CostBook, Taken } from "./cost-book.ts";
import { createBook, type Methods } from "./method.ts";
import type { Designations } from "./methods/specific.ts";
import { addToTrip, closeTrip, openTrip, type Trip } from "./round-trip.ts";
import type { Trade } from "./trade.ts";

type Parts = Pick<Booked, "closed" | "opened" | "closeFee" | "openFee">;

/** The accounts of one market, fill by fill, by the chosen method and by the one for comparison. */
export class MarketBook {
  readonly #methods: Methods;
  readonly #designations: Designations;
  #book: CostBook;
  #compared: CostBook;
  #position: Amount | null;
  #blank: UnknownReason | null;
  #trip: Trip | null = null;

  /** `blank`: why nothing is known of the market at first. Null: it begins flat. */
  constructor(methods: Methods, designations: Designations, blank: UnknownReason | null) {
    this.#methods = methods;
    this.#designations = designations;
    this.#position = blank === null ? ZERO : null;
    this.#blank = blank;
    [this.#book, this.#compared] = this.#newBooks();
  }

  get state(): Carried {
    return { position: this.#position, blank: this.#blank, lots: this.#book.lots() };
  }

  /**
   * Applies the user's declaration. Throws `usage` if the fills contradict it. False: the fills already gave
   * the same, so it is not used.
   */
  declare({ quantity, price, asOf, where }: DeclaredPosition, market: string): boolean {
    if (this.#position !== null && !this.#position.eq(quantity)) {
      throw new FillbookError(
        "usage",
        `${where}: it declares a position of ${quantity} ${market} at ${isoTime(asOf)}, and the fills before it give ${this.#position}`,
        {
          hint: "correct or remove the line: it is needed only if the fills do not reach back to that time. A date means the start of that day in the pack's time zone. If the venue lacks fills in between, give the time from which they are missing in the column break",
        },
      );
    }
    if (this.#position !== null && this.#blank === null) {
      return false;
    }
    this.#position = quantity;
    const isKnown = quantity.isZero() || price !== null;
    this.#blank = isKnown ? null : "quantity_known_cost_unknown";
    [this.#book, this.#compared] = this.#newBooks();
    if (!quantity.isZero() && price !== null) {
      const opener = { matchId: null, orderId: null, time: asOf, price };
      this.#open(opener, signOf(quantity), quantity.abs(), ZERO);
      this.#trip = null;
    }
    return true;
  }

  /** Fills are missing from here on. Nothing is known until a position is declared. */
  breakOff(): void {
    this.#forget("break_declared");
  }

  /** A fill of this market cannot be classified. From here on the position is not known. */
  lose(row: FillRow, time: number): Booked {
    const before = this.#position;
    this.#forget(this.#blank === "unsupported_contract_type" ? this.#blank : "market_incomplete");
    return { ...row, ...NOTHING, time, trade: null, before, after: null, blank: this.#blank };
  }

  book(row: FillRow, trade: Trade): Booked {
    const { fill, time, sign, quantity } = trade;
    const before = this.#position;
    if (before === null) {
      return { ...row, ...NOTHING, time, trade, before, after: null, blank: this.#blank };
    }
    const blank = this.#blank;
    const parts = partsOf(trade, before);
    const after = before.plus(withSign(sign, quantity));
    this.#position = after;
    const isBlankClose = blank !== null && parts.closed.gt(ZERO);
    if (blank === "quantity_known_cost_unknown" && (after.isZero() || signOf(after) !== signOf(before))) {
      this.#blank = null; // flat for certain: what is opened from here on is known
    }
    const realised = blank === null && parts.closed.gt(ZERO) ? this.#close(trade, parts) : null;
    if (this.#blank === null && parts.opened.gt(ZERO)) {
      const opener = { matchId: fill.matchId, orderId: fill.orderId, time, price: trade.price };
      this.#open(opener, sign, parts.opened, parts.openFee);
    }
    const trip = this.#follow(trade, parts, before);
    return {
      ...row,
      ...{ time, trade, before, after, realised, trip, blank: isBlankClose ? blank : this.#blank },
      ...parts,
    };
  }

  #forget(blank: UnknownReason): void {
    this.#position = null;
    this.#blank = blank;
    [this.#book, this.#compared] = this.#newBooks();
    this.#trip = null;
  }

  #open(opener: Opener, sign: Sign, quantity: Amount, fee: Amount): void {
    const lot = { opener, sign, quantity, value: quantity.times(opener.price), fee };
    this.#book.open(lot);
    this.#compared.open(lot);
  }

  #close(trade: Trade, { closed, closeFee }: Parts): Realised {
    const matches = matchesOf(trade, closeFee, this.#book.close(trade, closed));
    const compared = resultOf(matchesOf(trade, closeFee, this.#compared.close(trade, closed)));
    return { ...resultOf(matches), matches, compared };
  }

  /** Follows the round trip. Its beginning must be known. */
  #follow(trade: Trade, parts: Parts, before: Amount): RoundTrip | null {
    const { closed, opened, closeFee, openFee } = parts;
    let ended: RoundTrip | null = null;
    if (closed.gt(ZERO) && this.#trip !== null) {
      this.#trip = addToTrip(this.#trip, trade, { quantity: closed, fee: closeFee, opens: false });
      if (closed.eq(before.abs())) {
        ended = closeTrip(this.#trip, trade);
        this.#trip = null;
      }
    }
    if (opened.gt(ZERO) && this.#blank === null) {
      const isNew = closed.gt(ZERO) || before.isZero();
      const trip = isNew ? openTrip(trade) : this.#trip;
      this.#trip = trip === null ? null : addToTrip(trip, trade, { quantity: opened, fee: openFee, opens: true });
    }
    return ended;
  }

  #newBooks(): [chosen: CostBook, compared: CostBook] {
    const { primary, reference } = this.#methods;
    return [createBook(primary, this.#designations), createBook(reference, this.#designations)];
  }
}

const NOTHING = { closed: ZERO, opened: ZERO, closeFee: ZERO, openFee: ZERO, realised: null, trip: null } as const;

/**
 * Splits the fill into closing and opening parts. The closing fee is a share by quantity; the opening fee is
 * the rest.
 */
function partsOf({ sign, quantity, fee }: Trade, before: Amount): Parts {
  const closed = !before.isZero() && signOf(before) !== sign ? least(quantity, before.abs()) : ZERO;
  const opened = quantity.minus(closed);
  const closeFee = feeOf(fee, closed, quantity);
  return { closed, opened, closeFee, openFee: fee.minus(closeFee) };
}

function feeOf(fee: Amount, part: Amount, whole: Amount): Amount {
  if (part.isZero()) {
    return ZERO;
  }
  return part.eq(whole) ? fee : shareOf(fee, part, whole);
}

function matchesOf(trade: Trade, closeFee: Amount, taken: readonly Taken[]): Match[] {
  let left = totalOf(taken, ({ quantity }) => quantity);
  let feeLeft = closeFee;
  return taken.map((one): Match => {
    const closeValue = one.quantity.times(trade.price);
    const share = feeOf(feeLeft, one.quantity, left);
    left = left.minus(one.quantity);
    feeLeft = feeLeft.minus(share);
    // The position that is closed has the opposite sign of the closing trade.
    const gross = withSign(trade.sign, one.openValue.minus(closeValue));
    const fees = one.openFee.plus(share);
    return { ...one, closeValue, closeFee: share, gross, fees, net: gross.minus(fees) };
  });
}

function resultOf(matches: readonly Match[]): Result {
  const gross = totalOf(matches, (match) => match.gross);
  const fees = totalOf(matches, (match) => match.fees);
  return { gross, fees, net: gross.minus(fees) };
}

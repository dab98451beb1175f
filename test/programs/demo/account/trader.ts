import type { Prng } from "../../../support/prng.ts";
import type { TradedMarket } from "./markets.ts";

/**
 * How an order is filled: `limit` rests and is filled at its price as a maker; `market` and `stop` take what
 * the book has; `liquidation` is the venue's own, in many fills at worse and worse prices.
 */
export type OrderKind = "limit" | "market" | "stop" | "liquidation";

/** An order that is filled as a whole within its step. */
export interface Order {
  readonly market: TradedMarket;
  readonly step: number;
  readonly kind: OrderKind;
  /** Signed: above zero buys. */
  readonly lots: number;
  /** The limit; of the other kinds the middle price when it begins. */
  readonly price: number;
}

/** One trader in one market: its orders, one a step at most, and what they leave open. */
export class Trader {
  readonly market: TradedMarket;
  /** The middle price by step. */
  readonly prices: Float64Array;
  readonly draw: Prng;
  readonly orders: Order[] = [];
  /** Open lots, signed. */
  lots = 0;
  /** What they were opened at, about. */
  #entryPrice = 0;

  constructor(market: TradedMarket, prices: Float64Array, draw: Prng) {
    this.market = market;
    this.prices = prices;
    this.draw = draw;
  }

  price(step: number): number {
    return this.prices[step] ?? Number.NaN;
  }

  /** Whole clips for about this amount of the quote currency, at least one. */
  lotsFor(amount: number, step: number): number {
    const { lotDigits, clipLots } = this.market;
    const clip = (this.price(step) * clipLots) / 10 ** lotDigits;
    return Math.max(1, Math.round(amount / clip)) * clipLots;
  }

  order(step: number, lots: number, kind: OrderKind, price = this.price(step)): void {
    if (lots === 0) {
      return;
    }
    this.orders.push({ market: this.market, step, kind, lots, price });
    const isLarger = this.lots * lots >= 0;
    this.#entryPrice = isLarger ? (this.#entryPrice * this.lots + price * lots) / (this.lots + lots) : this.#entryPrice;
    this.lots += lots;
  }

  /** Rests on the own side of the book: a buyer's below the middle. */
  rest(step: number, lots: number): void {
    this.order(step, lots, "limit", this.price(step) * (1 - Math.sign(lots) * this.market.halfSpread));
  }

  close(step: number, kind: OrderKind, price = this.price(step)): void {
    this.order(step, -this.lots, kind, price);
  }

  /** Whether the venue closes a losing position, because the price moves too fast for a stop. */
  isLiquidated(step: number): boolean {
    const side = Math.sign(this.lots);
    const move = this.price(step) / this.price(step - 1) - 1;
    return side * move < -LIQUIDATING_MOVE && side * (this.price(step) - this.#entryPrice) < 0;
  }
}

/** of one step */
const LIQUIDATING_MOVE = 0.035;

import type { Prng } from "../../../support/prng.ts";
import type { TradedMarket } from "./markets.ts";

/**
 * How an order is filled. `limit` rests in the book and is filled at its price as a maker. `market` and
 * `stop` take from the book. `liquidation` is made by the venue, with many fills at worse and worse prices.
 */
export type OrderKind = "limit" | "market" | "stop" | "liquidation";

/** An order that is filled completely within its step. */
export interface Order {
  readonly market: TradedMarket;
  readonly step: number;
  readonly kind: OrderKind;
  /** Positive for a purchase, negative for a sale. */
  readonly lots: number;
  /** The limit price; for the other kinds, the middle price when the order begins. */
  readonly price: number;
}

/** One trader in one market: its orders, at most one per step, and its open position. */
export class Trader {
  readonly market: TradedMarket;
  /** The middle price by step. */
  readonly prices: Float64Array;
  readonly draw: Prng;
  readonly orders: Order[] = [];
  /** Open lots; negative if short. */
  lots = 0;
  /** Approximate average entry price. */
  #entryPrice = 0;

  constructor(market: TradedMarket, prices: Float64Array, draw: Prng) {
    this.market = market;
    this.prices = prices;
    this.draw = draw;
  }

  price(step: number): number {
    return this.prices[step] ?? Number.NaN;
  }

  /** Whole clips for approximately this amount of the quote currency, at least one clip. */
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

  /** Rests in the book on its own side: a purchase below the middle price. */
  rest(step: number, lots: number): void {
    this.order(step, lots, "limit", this.price(step) * (1 - Math.sign(lots) * this.market.halfSpread));
  }

  close(step: number, kind: OrderKind, price = this.price(step)): void {
    this.order(step, -this.lots, kind, price);
  }

  /** Whether the venue liquidates a losing position because the price moves too fast for a stop. */
  isLiquidated(step: number): boolean {
    const side = Math.sign(this.lots);
    const move = this.price(step) / this.price(step - 1) - 1;
    return side * move < -LIQUIDATING_MOVE && side * (this.price(step) - this.#entryPrice) < 0;
  }
}

/** The price move of one step that liquidates, as a share. */
const LIQUIDATING_MOVE = 0.035;

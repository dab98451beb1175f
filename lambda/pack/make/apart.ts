import type { Booked } from "../../accounting/booked.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";

interface Held {
  readonly account: string;
  readonly market: string;
  readonly currency: string;
  fees: Amount;
  notional: Amount;
}

/** Fees and notional of contracts that are not linear: nobody says in which currency they are. */
export class HeldApart {
  readonly #held = new Map<string, Held>();

  /** The same fill, without what belongs in no total. */
  without(account: string, booked: Booked): Booked {
    const { trade, blank } = booked;
    if (trade === null || blank !== "unsupported_contract_type") {
      return booked;
    }
    const { market, currency } = trade;
    const held = getOrMake(this.#held, JSON.stringify([account, market]), () => ({
      ...{ account, market, currency, fees: ZERO, notional: ZERO },
    }));
    held.fees = held.fees.plus(trade.fee);
    held.notional = held.notional.plus(trade.value);
    return { ...booked, trade: { ...trade, fee: ZERO, value: ZERO } };
  }

  /** Sentences without their full stops. */
  notesOn(own: string, contractTypes: ReadonlyMap<string, string | null>): string[] {
    return [...this.#held.values()]
      .filter(({ account }) => account === own)
      .map(
        ({ market, currency, fees, notional }) =>
          `fees of ${fees} and a notional of ${notional} of ${market} are in no total, because they may not be in ${currency}: its contract type is ${contractTypes.get(market)}`,
      );
  }
}

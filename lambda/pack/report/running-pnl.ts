import type { CubeDay } from "../../accounting/cube/cube.ts";
import { projected } from "../../accounting/cube/project.ts";
import { type Amount, greatest, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";

/** PnL from the beginning of the period to the end of a local day, by the chosen method, net of recognised fees. */
export interface Running {
  readonly day: string;
  readonly cumulative: Amount;
  /** The largest value so far, at least 0, with which the period begins. */
  readonly maximum: Amount;
  /** cumulative − maximum; at most 0. */
  readonly drawdown: Amount;
}

/** Of each currency, its days with fills, in order. */
export class RunningPnl {
  readonly #days = new Map<string, Running[]>();

  add(days: readonly CubeDay[]): void {
    for (const { day, cells } of days) {
      for (const { currency, gross, fees } of projected(cells, ["currency"]).filter(({ fills }) => fills > 0)) {
        const own = getOrMake(this.#days, currency ?? "", () => []);
        const last = own.at(-1);
        const cumulative = (last?.cumulative ?? ZERO).plus(gross).minus(fees);
        const maximum = greatest(cumulative, last?.maximum ?? ZERO);
        own.push({ day, cumulative, maximum, drawdown: cumulative.minus(maximum) });
      }
    }
  }

  of(currency: string): readonly Running[] {
    return this.#days.get(currency) ?? [];
  }
}

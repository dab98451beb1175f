import type { CubeDay } from "../../accounting/cube/cube.ts";
import { projected } from "../../accounting/cube/project.ts";
import type { Amount } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";

/** PnL of one local day in a currency, by the chosen method, net of recognised fees. */
export interface DayNet {
  readonly day: string;
  readonly net: Amount;
}

/** Of each currency, its days with fills, in order. */
export class DayNets {
  readonly #nets = new Map<string, DayNet[]>();

  add(days: readonly CubeDay[]): void {
    for (const { day, cells } of days) {
      for (const { currency, fills, gross, fees } of projected(cells, ["currency"])) {
        if (fills > 0) {
          getOrMake(this.#nets, currency ?? "", () => []).push({ day, net: gross.minus(fees) });
        }
      }
    }
  }

  of(currency: string): readonly DayNet[] {
    return this.#nets.get(currency) ?? [];
  }
}

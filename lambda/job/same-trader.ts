import { FillbookError } from "../core/errors.ts";
import { type Fill, identityOf } from "../core/fill.ts";
import { wider } from "../core/ranges.ts";
import { isoTime } from "../core/time.ts";
import { MARGINS } from "../walk/judge.ts";
import { DatesIgnored, type WalkState } from "../walk/walk-state.ts";

/**
 * Is this the archive's trader? One of its fills must come by its own time, before anything is kept; from a
 * service that ignores dates, with the first page. One request, unless it does not come.
 */
export async function checkTrader(state: WalkState): Promise<void> {
  const { session } = state;
  const held = await session.held();
  const isChecked = session.trader.isSame || session.trader.isRebound;
  const fills = isChecked ? [] : [...(await held.newest(NEWEST_ORDERS)), ...[(await held.ends())?.first ?? []].flat()];
  for (const fill of fills) {
    if (await comes(state, fill)) {
      return;
    }
  }
  if (fills.length > 0) {
    throw unknownTrader(fills.map(({ txCreated }) => txCreated));
  }
}

/** Of so many of the newest orders a fill is asked for. */
const NEWEST_ORDERS = 3;

async function comes(state: WalkState, fill: Fill): Promise<boolean> {
  const moment = { from: fill.txCreated, to: fill.txCreated };
  for (const margin of MARGINS.slice(1)) {
    const answer = await state
      .read(moment, { asked: wider(moment, margin), mostPages: () => 1 })
      .catch((error: unknown) => {
        if (error instanceof DatesIgnored) {
          return error.answer;
        }
        throw error;
      });
    if (answer.fills.has(identityOf(fill))) {
      return true;
    }
  }
  return false;
}

function unknownTrader(newest: readonly number[]): FillbookError {
  const until = Math.max(...newest);
  return new FillbookError(
    "untrusted",
    `the service does not show the archive's newest fills (${newest.length} up to ${isoTime(until)}) at their own times: nothing was filed`,
    {
      hint: "check whose token this is: another trader's fills need another --account or --store; if it is yours, and the service has lost or replaced these fills: fillbook sync --rebind",
    },
  );
}

import { type Fill, identityOf } from "../core/fill.ts";
import { unknownTrader } from "./messages.ts";
import { MARGINS } from "./judge.ts";
import type { WalkState } from "./walk-state.ts";

/**
 * Is this the archive's trader? One of its newest fills must come by its own time, before anything is kept.
 * One request, unless it does not come.
 */
export async function checkTrader(state: WalkState): Promise<void> {
  const { session } = state;
  const newest = session.isSameTrader || session.isRebound ? [] : await session.newest();
  for (const fill of newest) {
    if (await comes(state, fill)) {
      return;
    }
  }
  if (newest.length > 0) {
    throw unknownTrader(newest.map(({ txCreated }) => txCreated));
  }
}

async function comes(state: WalkState, fill: Fill): Promise<boolean> {
  for (const margin of MARGINS.slice(1)) {
    const { fills } = await state.read({ from: fill.txCreated, to: fill.txCreated }, { margin, mostPages: 1 });
    if (fills.has(identityOf(fill))) {
      return true;
    }
  }
  return false;
}

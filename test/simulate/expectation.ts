import type { Switches } from "../emulator/switches.ts";
import { UNFILABLE_KINDS } from "../emulator/switches.ts";
import type { RunPlan, Scenario } from "./scenario.ts";

/** Whether the service can be read to its end under these switches, so that a run which nothing disturbs has no excuse. */
export function mustComplete({ switches }: Scenario): boolean {
  return chainsEnd(switches) && datesSuffice(switches) && faultsPass(switches);
}

function chainsEnd(switches: Partial<Switches>): boolean {
  const { cursorLoop, cursorRefused, cursorLifetimePages, cursorLifetimeMs, lastOnFinal } = switches;
  return (
    !(cursorLoop || cursorRefused || cursorLifetimePages || cursorLifetimeMs) && lastOnFinal !== "empty-string-restarts"
  );
}

/** Without dates that go by `txCreated`, the whole has to come without any: nothing may cut that answer. */
function datesSuffice({ filterBy, cursorDates, clamp }: Partial<Switches>): boolean {
  return (filterBy === undefined && cursorDates !== "forgotten") || clamp?.noDatesMs === undefined;
}

function faultsPass({ badRows, limits }: Partial<Switches>): boolean {
  const isFiled = !(badRows?.kinds ?? []).some((kind) => UNFILABLE_KINDS.includes(kind));
  return isFiled && (limits ?? []).every(({ kind }) => kind !== "ban");
}

/** Whether a run has no excuse either: alone, undisturbed but for writes whose outcome is found out by reading, and a service that answers. */
export function mustCompleteAtOnce(scenario: Scenario, plan: RunPlan, hardFaults: number): boolean {
  const isLeftAlone = plan.kill === null && plan.suspend === null && plan.stop === null && hardFaults === 0;
  const isPossible = plan.store.rate <= 0.05 && !(scenario.isLive && plan.range !== null);
  return mustComplete(scenario) && !scenario.isRaced && !scenario.switches.faults && isLeftAlone && isPossible;
}

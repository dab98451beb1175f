import type { Switches } from "../emulator/switches.ts";
import { UNFILABLE_KINDS } from "../emulator/switches.ts";
import type { Scenario } from "./scenario.ts";

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

function faultsPass({ badRows, faults, limits }: Partial<Switches>): boolean {
  const isFiled = !(badRows?.kinds ?? []).some((kind) => UNFILABLE_KINDS.includes(kind));
  const isAnswered = !(faults?.kinds ?? []).some((kind) => kind === "huge" || kind === "redirect");
  return isFiled && isAnswered && (limits ?? []).every(({ kind }) => kind !== "ban");
}

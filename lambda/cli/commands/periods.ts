import { listPeriods, takenFor } from "../../core/period-name.ts";
import { table } from "../terminal-text.ts";
import type { Command } from "./command.ts";

const SINGLE_YEAR = takenFor("au-2025");

export const periods: Command = {
  about: [
    "Prints one kind of period a line, with an example. Type any other year or month in the same way.",
    `A tax year that spans two calendar years can also be named by the year in which it ends: ${SINGLE_YEAR}.`,
    'With --json {"periods": [{"name", "from", "to", "zone", "label", "pattern"}]}, where the times are UTC and `to` is not part of the period.',
  ],
  example: "fillbook periods",
  plan:
    () =>
    async ({ settings }) => {
      const known = listPeriods();
      // Their times need the clocks of every zone, which take as long to load as all the rest.
      const timesOf = settings.json ? (await import("../../core/period.ts")).parsePeriod : null;
      const rows = known.map((one) => [one.pattern, one.name, one.firstDay, one.lastDay, one.zone, one.label]);
      const header = ["to type", "for example", "first day", "last day", "zone", "what"];
      const shown = known.map(({ name, zone, label, pattern }) => {
        const { from, to } = timesOf?.(name) ?? { from: 0, to: 0 };
        return { name, from, to, zone, label, pattern };
      });
      return { json: { periods: shown }, lines: [...table(header, rows), SINGLE_YEAR] };
    },
};

import { listPeriods, takenFor } from "../../core/period.ts";
import { isoTime } from "../../core/time.ts";
import { table } from "../terminal-text.ts";
import type { Command } from "./command.ts";

const SINGLE_YEAR = takenFor("au-2025");

export const periods: Command = {
  usage: "",
  about: [
    "Prints one kind of period a line, with an example. Type any other year or month in the same way.",
    `A tax year that spans two calendar years can also be named by the year in which it ends: ${SINGLE_YEAR}.`,
    'With --json {"periods": [{"name", "from", "to", "zone", "label", "pattern"}]}, where the times are UTC and `to` is not part of the period.',
  ],
  options: {},
  example: "fillbook periods",
  plan() {
    return () => {
      const known = listPeriods().map(({ pattern, label, example }) => ({
        name: example.name,
        from: isoTime(example.from),
        to: isoTime(example.to),
        zone: example.zone,
        label,
        pattern,
      }));
      const rows = listPeriods().map((one) => [
        one.pattern,
        one.example.name,
        one.firstDay,
        one.lastDay,
        one.zone,
        one.label,
      ]);
      const header = ["to type", "for example", "first day", "last day", "zone", "what"];
      return Promise.resolve({ json: { periods: known }, lines: [...table(header, rows), SINGLE_YEAR], problem: null });
    };
  },
};

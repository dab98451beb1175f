import { table } from "../../support/markdown-table.ts";
import type { Service } from "./services.ts";
import type { Trial } from "./trial.ts";

/** The results of the timed service, one line per tool. */
export function timeTable(trials: readonly Trial[]): string[] {
  return table(
    ["", "kept", "seconds", "requests", "CPU s", "peak MB"],
    trials.map((trial) => {
      const { seconds, requests, cpuSeconds, peakMb } = sums(trial);
      return [
        trial.tool,
        verdict(trial),
        seconds.toFixed(1),
        String(requests),
        cpuSeconds.toFixed(2),
        peakMb.toFixed(0),
      ];
    }),
  );
}

/** One line per service, one column per tool. */
export function serviceTable(services: readonly Service[], trials: readonly Trial[], tools: readonly string[]) {
  return table(
    ["", "The service", ...tools],
    services.map(({ name, title }) => [
      name,
      title,
      ...tools.map((tool) => {
        const trial = trials.find((one) => one.service === name && one.tool === tool);
        return trial === undefined ? "–" : verdict(trial);
      }),
    ]),
  );
}

/** What is wrong with the kept rows; bold if the last run nevertheless reported success. */
function verdict({ runs, counts }: Trial): string {
  const wrong = (["lost", "doubled", "invented", "changed"] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind].toLocaleString("en")} ${kind}`)
    .join(", ");
  const saysSo = runs.at(-1)?.code !== 0;
  if (wrong === "") {
    return saysSo ? "right, but reports a failure" : "right";
  }
  return saysSo ? `fails: ${wrong}` : `**${wrong}**`;
}

/** The trial with the median time. */
export function median(trials: readonly Trial[]): Trial {
  const middle = trials.toSorted((a, b) => sums(a).seconds - sums(b).seconds)[trials.length >> 1];
  if (middle === undefined) {
    throw new RangeError("no trials");
  }
  return middle;
}

function sums({ runs }: Trial) {
  const sum = (pick: (run: Trial["runs"][number]) => number) => runs.reduce((total, run) => total + pick(run), 0);
  return {
    seconds: sum(({ seconds }) => seconds),
    requests: sum(({ requests }) => requests),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    peakMb: Math.max(...runs.map(({ peakBytes }) => peakBytes / 1e6)),
  };
}

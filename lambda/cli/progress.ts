import type { Clock } from "../core/clock.ts";
import { visible } from "../core/log.ts";
import { count } from "../core/text.ts";
import type { Progress } from "../job/context.ts";
import { duration } from "./terminal-text.ts";

const REDRAW_MS = 100; // at most ten redraws a second
const PLAIN_MS = 5000; // between lines where a line cannot be redrawn
const WARM_UP_MS = 2000; // before this, a rate or a time left is a guess
const ERASE_LINE = "\r\u001b[2K";

export interface ProgressView {
  readonly report: (progress: Progress) => void;
  /** Takes the redrawn line away, so that what comes next starts on a clean one. */
  readonly clear: () => void;
}

/** Progress on a stream: one line redrawn on a terminal, else a plain line now and then. No colours, so NO_COLOR has nothing to turn off. */
export function createProgressView(
  stream: { readonly write: (text: string) => void; readonly isTTY?: boolean; readonly columns?: number },
  clock: Pick<Clock, "monotonic">,
): ProgressView {
  const live = stream.isTTY === true;
  let first: Seen | undefined;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawnStage = "";
  let onScreen = false;
  return {
    report(progress) {
      const seen = { at: clock.monotonic(), covered: progress.covered, requests: progress.requests };
      first ??= seen;
      const due = seen.at - drawnAt >= (live ? REDRAW_MS : PLAIN_MS) || (!live && progress.stage !== drawnStage);
      if (!due) {
        return;
      }
      drawnAt = seen.at;
      drawnStage = progress.stage;
      const line = progressLine(progress, first, seen);
      onScreen = live;
      stream.write(live ? ERASE_LINE + line.slice(0, width(stream.columns) - 1) : `${line}\n`);
    },
    clear() {
      if (onScreen) {
        stream.write(ERASE_LINE);
        onScreen = false;
      }
    },
  };
}

/** Some terminals do not know how wide they are, and say 0. */
function width(columns: number | undefined): number {
  return columns === undefined || columns === 0 ? 80 : columns;
}

/** A moment of the run. */
interface Seen {
  /** ms, monotonic */
  readonly at: number;
  readonly covered: number;
  readonly requests: number;
}

/** One line: `walking 62 % · 7 windows done, 2 open · 12,400 fills · 8.1 requests/s · 3 refused · 40 s left`. */
export function progressLine(progress: Progress, first: Seen, now: Seen): string {
  const elapsed = now.at - first.at;
  const warm = elapsed >= WARM_UP_MS;
  const gained = now.covered - first.covered;
  return [
    progress.stage === "walking" ? `walking ${Math.floor(progress.covered * 100)} %` : progress.stage,
    progress.note === undefined ? "" : visible(progress.note),
    progress.windowsDone + progress.windowsOpen > 0
      ? `${count(progress.windowsDone)} windows done, ${count(progress.windowsOpen)} open`
      : "",
    progress.fillsSeen > 0 ? `${count(progress.fillsSeen)} fills` : "",
    warm && now.requests > first.requests ? `${rate(now.requests - first.requests, elapsed)} requests/s` : "",
    progress.refused > 0 ? `${count(progress.refused)} refused` : "",
    warm && gained > 0 && now.covered < 1 ? `${duration((elapsed * (1 - now.covered)) / gained)} left` : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}

function rate(requests: number, ms: number): string {
  return ((requests * 1000) / ms).toFixed(1);
}

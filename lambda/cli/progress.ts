import type { Clock } from "../core/clock.ts";
import { visible } from "../core/log.ts";
import { count, counted, durationText, rateText, sizeText } from "../core/text.ts";
import { SECOND_MS } from "../core/time.ts";
import type { CheckProgress, Progress } from "../job/context.ts";
import type { Output } from "./problem-text.ts";

const REDRAW_MS = 100; // at most ten redraws a second
const PLAIN_MS = 5 * SECOND_MS; // between lines where a line cannot be redrawn
const ERASE_LINE = "\r\u001b[2K";
const BAR_WIDTH = 8;
const RATE_MS = 10 * SECOND_MS; // rates are those of the last ten to twenty seconds
const SHORTEST_MS = 2 * SECOND_MS; // a rate of a shorter time says nothing
const SETTLING_MS = 10 * SECOND_MS; // a stage's first answers cover times without fills at once: they tell no pace
const WATCHED_MS = 20 * SECOND_MS; // then, before the time left is told
const LEAST_SHARE = 0.01; // and so much must be done in this time

export interface ProgressView {
  readonly report: (progress: Progress) => void;
  /** Erases the redrawn line, so that the next output starts on an empty line. */
  readonly clear: () => void;
}

/**
 * Progress on a stream: one redrawn line on a terminal, otherwise a plain line from time to time. When `stop`
 * is aborted, the line is erased and nothing more is drawn. It has no colours, so it can ignore NO_COLOR.
 */
export function createProgressView(stream: Output, clock: Pick<Clock, "monotonic">, stop?: AbortSignal): ProgressView {
  const live = stream.isTTY === true;
  const meter = createMeter();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let drawnStage = "";
  let onScreen = false;
  const clear = () => {
    if (onScreen) {
      stream.write(ERASE_LINE);
      onScreen = false;
    }
  };
  stop?.addEventListener("abort", clear, { once: true });
  return {
    report(progress) {
      const at = clock.monotonic();
      const seen = meter(progress, at);
      const due = at - drawnAt >= (live ? REDRAW_MS : PLAIN_MS) || (!live && progress.stage !== drawnStage);
      if (!due || stop?.aborted === true) {
        return;
      }
      drawnAt = at;
      drawnStage = progress.stage;
      onScreen = live;
      // Some terminals do not know their width and report 0.
      stream.write(live ? ERASE_LINE + fitted(seen, (stream.columns || 80) - 1) : `${fitted(seen, null)}\n`);
    },
    clear,
  };
}

/** The values of one progress line. */
export interface Shown {
  readonly progress: Progress;
  /** 0 to 100; null: not known. */
  readonly percent: number | null;
  /** Fills a second; null while the run is too young. */
  readonly fillRate: number | null;
  readonly requestRate: number | null;
  /** ms; null: not known. */
  readonly leftMs: number | null;
}

/** The counts at a time, ms. */
interface Sample extends Pick<Progress, "fillsSeen" | "requests"> {
  readonly at: number;
}

function rateOf(gained: number, ms: number): number | null {
  return ms < SHORTEST_MS || gained <= 0 ? null : (gained * SECOND_MS) / ms;
}

/**
 * Computes the values of each report: the rates, the share, which never falls, and the time left if the rest goes as
 * fast as what was read.
 */
function createMeter(): (progress: Progress, at: number) => Shown {
  let [before, since]: Sample[] = [];
  let begun: number | null = null;
  let settled = { at: 0, share: 0 };
  let most = 0;
  return (progress, at) => {
    const { fillsSeen, requests, covered, stage } = progress;
    since ??= { at, fillsSeen, requests };
    if (at - since.at >= RATE_MS) {
      [before, since] = [since, { at, fillsSeen, requests }];
    }
    const from = before ?? since;
    most = Math.max(most, covered ?? 0);
    begun = covered === null || stage !== "walking" ? null : (begun ?? at);
    settled = begun === null || at - begun <= SETTLING_MS ? { at, share: most } : settled;
    return {
      progress,
      percent: covered === null ? null : Math.floor(most * 100),
      fillRate: rateOf(fillsSeen - from.fillsSeen, at - from.at),
      requestRate: rateOf(requests - from.requests, at - from.at),
      leftMs: leftOf(1 - most, most - settled.share, at - settled.at),
    };
  };
}

/** `ms`: in which the share `done` was read. Null: not known yet. */
function leftOf(left: number, done: number, ms: number): number | null {
  return ms < WATCHED_MS || done < LEAST_SHARE ? null : (left * ms) / done;
}

/** The parts of a line; absent, or empty, if there is nothing to show. */
interface Parts {
  readonly bar?: string;
  readonly label: string;
  readonly fills?: string;
  readonly fillRate?: string;
  readonly pages?: string;
  readonly requestRate?: string;
  readonly left?: string;
  readonly refused?: string;
}

/** What is left out first where there is no room. */
const DROPS: readonly (keyof Parts)[] = ["pages", "refused", "bar", "left", "requestRate", "fillRate", "fills"];

/**
 * `████░░░░ 62 % read · 12,400 fills, 810/s · 8.1 req/s · 40 s left · 3 throttled`. Parts that do not fit are left
 * out. `room` null: the whole line, without the bar.
 */
export function fitted(shown: Shown, room: number | null): string {
  let parts = partsOf(shown);
  if (room === null) {
    return lineOf({ ...parts, bar: "" });
  }
  for (const drop of DROPS) {
    parts = lineOf(parts).length <= room ? parts : { ...parts, [drop]: "" };
  }
  const line = lineOf(parts);
  return line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`;
}

function lineOf({ bar, label, fills, fillRate, pages, requestRate, left, refused }: Parts): string {
  const joined = (texts: readonly (string | undefined)[], joint: string) =>
    texts.filter((text) => text !== undefined && text !== "").join(joint);
  return joined([joined([bar, label], " "), joined([fills, fillRate], ", "), pages, requestRate, left, refused], " · ");
}

function partsOf(shown: Shown): Parts {
  const { stage, checked, note } = shown.progress;
  const named = note === undefined ? "" : visible(note);
  if (checked !== undefined) {
    return checkingParts(shown, checked);
  }
  return stage === "packing" ? packingParts(shown.progress, named) : walkingParts(shown, named);
}

function walkingParts({ progress, percent, fillRate, requestRate, leftMs }: Shown, note: string): Parts {
  const { stage, fillsSeen, pages, refused } = progress;
  const reading = percent === null ? `reading ${note}`.trimEnd() : `${percent} % read`;
  return {
    bar: stage === "walking" ? barOf(percent, 100) : "",
    label: stage === "walking" ? reading : `${stage}: ${note}`.replace(/: $/, ""),
    fills: fillsSeen === 0 ? "" : counted(fillsSeen, "fill"),
    fillRate: fillRate === null ? "" : `${rateText(fillRate)}/s`,
    pages: pages === 0 ? "" : counted(pages, "page"),
    requestRate: requestRate === null ? "" : `${rateText(requestRate)} req/s`,
    left: leftMs === null ? "" : `${durationText(leftMs)} left`,
    refused: refused === 0 ? "" : `${count(refused)} throttled`,
  };
}

function packingParts({ packed, copied }: Progress, note: string): Parts {
  if (copied !== undefined) {
    const { bytes, of } = copied;
    return { bar: barOf(bytes, of), label: `copying ${note}`, fills: `${sizeText(bytes)} of ${sizeText(of)}` };
  }
  const { fills, of } = packed ?? { fills: 0, of: 0 };
  return {
    bar: barOf(fills, of),
    label: `packing ${note}`.trimEnd(),
    fills: packed === undefined ? "" : `${count(fills)} of ${counted(Math.max(fills, of), "fill")}`,
  };
}

function checkingParts({ percent, requestRate }: Shown, { step, objects, done, of }: CheckProgress): Parts {
  const label = percent === null ? "checking files" : `${percent} % checked`;
  const rate = requestRate === null ? "" : `${rateText(requestRate)} req/s`;
  const fills = {
    archive: `${count(done)} of ${counted(of, "fill")}`,
    packs: `packs: ${sizeText(done)} of ${sizeText(of)}`,
    rewalk: `asked again: ${count(done)} of ${counted(of, "fill")}`,
  }[step];
  const more = step === "rewalk" ? { requestRate: rate } : { fillRate: counted(objects, "object") };
  return { bar: barOf(percent, 100), label, fills, ...more };
}

/** Empty if the share is not known. */
function barOf(done: number | null, of: number): string {
  const full = Math.floor(Math.min(1, (done ?? 0) / (of || 1)) * BAR_WIDTH);
  return done === null || of === 0 ? "" : "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
}

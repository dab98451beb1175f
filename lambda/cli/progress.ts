import type { Clock } from "../core/clock.ts";
import { visible } from "../core/log.ts";
import { count, counted, durationText, rateText, sizeText } from "../core/text.ts";
import type { CheckProgress, Progress } from "../job/context.ts";
import { createRates } from "./rates.ts";

const REDRAW_MS = 100; // at most ten redraws a second
const PLAIN_MS = 5000; // between lines where a line cannot be redrawn
const ERASE_LINE = "\r\u001b[2K";
const BAR_WIDTH = 8;
const WATCHED_MS = 5000; // before the time left is told

export interface ProgressView {
  readonly report: (progress: Progress) => void;
  /** Erases the redrawn line, so that the next output starts on an empty line. */
  readonly clear: () => void;
}

interface Stream {
  readonly write: (text: string) => void;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * Progress on a stream: one redrawn line on a terminal, otherwise a plain line from time to time. When `stop`
 * is aborted, the line is erased and nothing more is drawn. It has no colours, so it can ignore NO_COLOR.
 */
export function createProgressView(stream: Stream, clock: Pick<Clock, "monotonic">, stop?: AbortSignal): ProgressView {
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
      stream.write(live ? ERASE_LINE + fitted(seen, columnsOf(stream) - 1) : `${whole(seen)}\n`);
    },
    clear,
  };
}

/** Some terminals do not know their width and report 0. */
function columnsOf({ columns }: Stream): number {
  return columns === undefined || columns === 0 ? 80 : columns;
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

/**
 * Computes the values of each report: the rates, the share, which never falls, and the time left if the rest goes as
 * fast as what was read.
 */
function createMeter(): (progress: Progress, at: number) => Shown {
  const rates = createRates();
  let first: { readonly at: number; readonly share: number } | null = null;
  let most = 0;
  return (progress, at) => {
    const { fills, requests } = rates({ fills: progress.fillsSeen, requests: progress.requests }, at);
    most = Math.max(most, progress.covered ?? 0);
    const share = progress.covered === null ? null : most;
    first = share === null || progress.stage !== "walking" ? null : (first ?? { at, share });
    const gained = first === null || at - first.at < WATCHED_MS ? 0 : most - first.share;
    return {
      progress,
      percent: share === null ? null : Math.floor(share * 100),
      fillRate: fills,
      requestRate: requests,
      leftMs: first === null || gained <= 0 ? null : ((1 - most) * (at - first.at)) / gained,
    };
  };
}

/**
 * `████░░░░ 62 % read · 12,400 fills, 810/s · 8.1 req/s · 40 s left · 3 throttled`.
 * Parts that do not fit are left out.
 */
export function fitted(shown: Shown, room: number): string {
  const drops: readonly (keyof Parts)[] = ["pages", "refused", "bar", "left", "requestRate", "fillRate", "fills"];
  let parts = partsOf(shown);
  for (const drop of drops) {
    if (lineOf(parts).length <= room) {
      break;
    }
    parts = { ...parts, [drop]: "" };
  }
  const line = lineOf(parts);
  return line.length <= room ? line : `${line.slice(0, Math.max(0, room - 1))}…`;
}

/** The whole line, without the bar. */
export function whole(shown: Shown): string {
  return lineOf({ ...partsOf(shown), bar: "" });
}

/** The parts of a line; empty if there is nothing to show. */
interface Parts {
  readonly bar: string;
  readonly label: string;
  readonly fills: string;
  readonly fillRate: string;
  readonly pages: string;
  readonly requestRate: string;
  readonly left: string;
  readonly refused: string;
}

function partsOf(shown: Shown): Parts {
  const { stage, checked } = shown.progress;
  if (checked !== undefined) {
    return checkingParts(shown, checked);
  }
  return stage === "packing" ? packingParts(shown) : walkingParts(shown);
}

function walkingParts({ progress, percent, fillRate, requestRate, leftMs }: Shown): Parts {
  const { stage, note, fillsSeen, pages, refused } = progress;
  const isWalking = stage === "walking";
  return {
    bar: percent === null || !isWalking ? "" : barOf(percent / 100),
    label: isWalking ? walkingLabel(percent, note) : [stage, ...(note === undefined ? [] : [visible(note)])].join(": "),
    fills: fillsSeen === 0 ? "" : counted(fillsSeen, "fill"),
    fillRate: fillRate === null ? "" : `${rateText(fillRate)}/s`,
    pages: pages === 0 ? "" : counted(pages, "page"),
    ...requestPart(requestRate),
    left: leftMs === null ? "" : `${durationText(leftMs)} left`,
    refused: refused === 0 ? "" : `${count(refused)} throttled`,
  };
}

function walkingLabel(percent: number | null, note: string | undefined): string {
  if (percent === null) {
    return note === undefined ? "reading" : `reading ${visible(note)}`;
  }
  return `${percent} % read`;
}

const NO_RATES = { fillRate: "", pages: "", requestRate: "", left: "", refused: "" };

function packingParts({ progress: { note, packed, copied } }: Shown): Parts {
  const file = note === undefined ? "" : ` ${visible(note)}`;
  if (copied !== undefined) {
    const { bytes, of } = copied;
    return {
      ...NO_RATES,
      ...shareOf(bytes, of),
      label: `copying${file}`,
      fills: `${sizeText(bytes)} of ${sizeText(of)}`,
    };
  }
  return {
    ...NO_RATES,
    ...shareOf(packed?.fills ?? 0, packed?.of ?? 0),
    label: `packing${file}`,
    fills:
      packed === undefined ? "" : `${count(packed.fills)} of ${counted(Math.max(packed.fills, packed.of), "fill")}`,
  };
}

function shareOf(done: number, of: number): Pick<Parts, "bar"> {
  return { bar: of === 0 ? "" : barOf(Math.min(1, done / of)) };
}

function checkingParts({ percent, requestRate }: Shown, { step, objects, done, of }: CheckProgress): Parts {
  const common = {
    ...NO_RATES,
    bar: percent === null ? "" : barOf(percent / 100),
    label: percent === null ? "checking files" : `${percent} % checked`,
  };
  const hashed = counted(objects, "object");
  switch (step) {
    case "archive":
      return { ...common, fills: `${count(done)} of ${counted(of, "fill")}`, fillRate: hashed };
    case "packs":
      return { ...common, fills: `packs: ${sizeText(done)} of ${sizeText(of)}`, fillRate: hashed };
    case "rewalk":
      return { ...common, fills: `asked again: ${count(done)} of ${counted(of, "fill")}`, ...requestPart(requestRate) };
  }
}

function requestPart(requestRate: number | null): Pick<Parts, "requestRate"> {
  return { requestRate: requestRate === null ? "" : `${rateText(requestRate)} req/s` };
}

function lineOf({ bar, label, fills, fillRate, pages, requestRate, left, refused }: Parts): string {
  const started = [bar, label].filter((part) => part !== "").join(" ");
  const amounts = [fills, fillRate].filter((part) => part !== "").join(", ");
  return [started, amounts, pages, requestRate, left, refused].filter((part) => part !== "").join(" · ");
}

function barOf(share: number): string {
  const full = Math.floor(share * BAR_WIDTH);
  return "█".repeat(full) + "░".repeat(BAR_WIDTH - full);
}

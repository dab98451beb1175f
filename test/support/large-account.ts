import { hash } from "node:crypto";
import { HEAD_FORMAT } from "../../lambda/archive/head.ts";
import { ManifestIndex } from "../../lambda/archive/index/manifest-index.ts";
import { headKey, manifestKey, sha256Of } from "../../lambda/archive/keys.ts";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import type { RestatementFile } from "../../lambda/archive/manifest-entries.ts";
import { manifestBody } from "../../lambda/archive/read.ts";
import { storeRestatements } from "../../lambda/archive/restatements.ts";
import { customPeriod, type Period, parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS, isoTime, type TimeRange } from "../../lambda/core/time.ts";
import { COMPLETENESS_FORMAT } from "../../lambda/pack/catalogue/completeness.ts";
import { FILES } from "../pack/pack.ts";
import { fakeClock } from "./fake-clock.ts";
import { makeFill } from "./make-fill.ts";
import { memoryStore } from "./memory-store.ts";

/**
 * An account `main` with ten years of everything that the page shows. It is made without the program, which
 * would need hours.
 */
export interface LargeAccount {
  readonly objects: ReadonlyMap<string, Uint8Array>;
  readonly modifiedMs: (key: string) => number;
  /** The periods of the packs, in the order in which they were made, newest last. */
  readonly periods: readonly string[];
}

export interface LargeAccountParts {
  readonly periods: number;
  /** Of each period. */
  readonly versions: number;
  /** Each one hour long, spread over the ten years. */
  readonly gaps?: number;
  readonly downloads?: number;
}

export const NOW = Date.UTC(2026, 1, 3, 14, 5);
const BEGIN = Date.UTC(2016, 0, 1);
/** Commits with late fills, over the ten years. The packs know all of them except the last few. */
const RESTATED_COMMITS = 600;
const UNKNOWN_COMMITS = 5;

export async function largeAccount({
  periods,
  versions,
  gaps = 0,
  downloads = 0,
}: LargeAccountParts): Promise<LargeAccount> {
  const objects = new Map<string, Uint8Array>();
  const times = new Map<string, number>();
  const put = (key: string, text: string | Uint8Array, at = NOW): void => {
    objects.set(key, Buffer.from(text));
    times.set(key, at);
  };
  const { files, kept, tradeTimes } = await restatedCommits();
  for (const [key, body] of kept) {
    put(key, body);
  }
  await writeArchive(put, files, coverageOf(gaps));
  const named = periodsOf(periods);
  for (const period of named) {
    const known = tradeTimes.slice(0, -UNKNOWN_COMMITS).filter((time) => period.from <= time && time < period.to);
    for (let version = 0; version < versions; version += 1) {
      writePack(put, period, {
        name: nameOf(version),
        madeAt: NOW - (versions - version) * HOUR_MS,
        late: known.length,
      });
    }
    const latest = { format: "fillbook-pack/3", version: nameOf(versions - 1) };
    // As an export does: right after the version that it names.
    put(`main/packs/${period.name}/latest.json`, `${JSON.stringify(latest, null, 2)}\n`, NOW - HOUR_MS);
  }
  for (let at = 0; at < downloads; at += 1) {
    writeDownload(put, NOW - at * 6 * HOUR_MS, named[at % named.length]?.name ?? "");
  }
  return { objects, modifiedMs: (key) => times.get(key) ?? NOW, periods: named.map(({ name }) => name) };
}

type Put = (key: string, text: string | Uint8Array, at?: number) => void;

function nameOf(version: number): string {
  return version.toString(16).padStart(16, "0");
}

/** Tax years, then months, then other ranges of days. */
function periodsOf(count: number): Period[] {
  const years = Array.from({ length: 10 }, (_, at) => parsePeriod(`us-${2025 - at}`));
  const months = Array.from({ length: 120 }, (_, at) => {
    const date = isoTime(Date.UTC(2025, 11 - at)).slice(0, 7);
    return parsePeriod(`month-${date}`);
  });
  const weeks = Array.from({ length: Math.max(0, count - 130) }, (_, at) => {
    const from = BEGIN + at * 4 * DAY_MS;
    return customPeriod(isoTime(from).slice(0, 10), isoTime(from + 7 * DAY_MS).slice(0, 10));
  });
  return [...years, ...months, ...weeks].slice(0, count);
}

function coverageOf(gaps: number): TimeRange[] {
  const step = Math.floor((NOW - BEGIN) / (gaps + 1));
  return Array.from({ length: gaps + 1 }, (_, at) => ({
    from: BEGIN + at * step,
    to: BEGIN + (at + 1) * step - (gaps === 0 ? 0 : HOUR_MS),
  }));
}

async function restatedCommits(): Promise<{
  files: RestatementFile[];
  kept: ReadonlyMap<string, Uint8Array>;
  tradeTimes: readonly number[];
}> {
  const store = memoryStore();
  const files: RestatementFile[] = [];
  // The last ones fall in the last days of 2025, which belong to the year, its last month and a week.
  const tradeTimes = Array.from({ length: RESTATED_COMMITS }, (_, at) => BEGIN + at * 6 * DAY_MS + HOUR_MS).map(
    (time, at) => (at < RESTATED_COMMITS - UNKNOWN_COMMITS ? time : Date.UTC(2025, 11, 27, at % 24)),
  );
  for (const [epoch, time] of tradeTimes.entries()) {
    const after = makeFill({ txCreated: time, filledAt: time });
    const ports = { account: "main", store, clock: fakeClock(), epoch };
    files.push(await storeRestatements(ports, [{ kind: "late", before: null, after }], { seq: epoch, seenAt: time }));
  }
  return { files, kept: store.snapshot(), tradeTimes };
}

async function writeArchive(
  put: Put,
  restatements: readonly RestatementFile[],
  coverage: readonly TimeRange[],
): Promise<void> {
  const store = memoryStore();
  const manifestIndex = await ManifestIndex.empty({ account: "main", store }).change({ added: { restatements } });
  const { root } = await manifestIndex.seal({ clock: fakeClock(), epoch: 1 });
  for (const [key, body] of store.snapshot()) {
    put(key, Buffer.from(body).toString());
  }
  const manifest = { ...emptyManifest("main"), seq: 1, fills: 1_000_000, coverage, index: root };
  const body = manifestBody(manifest);
  const sha256 = sha256Of(body);
  put(manifestKey("main", 1, sha256), Buffer.from(body).toString());
  const head = {
    format: HEAD_FORMAT,
    seq: 2,
    epoch: 1,
    commitId: "a",
    recentCommitIds: [],
    manifest: { seq: 1, sha256 },
    current: manifest,
    lease: null,
    lastRun: { endedAt: NOW - HOUR_MS, complete: true, problem: null },
    collection: null,
    learned: null,
  };
  put(headKey("main"), JSON.stringify(head));
}

/** Its files are empty, except for what the page reads. */
function writePack(
  put: Put,
  period: Period,
  { name, madeAt, late }: { name: string; madeAt: number; late: number },
): void {
  const completeness = JSON.stringify({
    format: COMPLETENESS_FORMAT,
    account: "main",
    period: period.name,
    from: isoTime(period.from),
    to: isoTime(period.to),
    zone: period.zone,
    method: "fifo",
    basis: "fill",
    totals: { fills: 20_000, exceptions: 0, restatements: { late, changed: 0, enriched: 0 } },
    gaps: [],
    accounts: { net_realised_pnl: [] },
    version: name,
  });
  const texts = FILES.filter((path) => path !== "SHA256SUMS").map((path) => [
    path,
    path === "completeness.json" ? completeness : "x",
  ]);
  const sums = texts.map(([path = "", text = ""]) => `${hash("sha256", text, "hex")}  ${path}\n`).join("");
  for (const [path = "", text = ""] of [...texts, ["SHA256SUMS", sums]]) {
    put(`main/packs/${period.name}/${name}/${path}`, text, madeAt);
  }
}

function writeDownload(put: Put, at: number, period: string): void {
  const time = isoTime(at);
  const record = { at, user: "ann", account: "main", period, version: nameOf(0), path: "fills.csv" };
  put(
    `main/downloads/${time.slice(0, 7)}/${time.replaceAll(/[-:]/g, "")}-id.json`,
    `${JSON.stringify({ format: "fillbook-download/1", ...record })}\n`,
  );
}

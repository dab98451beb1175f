import { identityOf, type Fill } from "./lambda/core/fill.ts";
import { FillbookError, StoppedError } from "./lambda/core/errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./lambda/core/time.ts";
import { syncArchive } from "./lambda/job/sync-archive.ts";
import { readArchive, unitReader, unitsOf } from "./lambda/archive/read.ts";
import type { PageAnswer, PageRequest } from "./lambda/service/service.ts";
import { stubReader } from "./test/cli/commands/stub-reader.ts";
import { makeFill } from "./test/support/make-fill.ts";
import { memoryStore } from "./test/support/memory-store.ts";
import { fakeClock } from "./test/support/fake-clock.ts";
import { prng } from "./test/support/prng.ts";
import type { Store } from "./lambda/storage/store.ts";
import type { RunContext } from "./lambda/job/context.ts";

export const NOW = Date.UTC(2026, 1, 1);
export { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, identityOf, syncArchive, makeFill, memoryStore, prng, readArchive };
export type { Fill };

export interface Svc {
  fills: Fill[]; // truth
  page: number;
  pageLimit2?: number;
  order?: "desc" | "asc" | "mixed";
  key?: (f: Fill) => number; // sort key and time cursor key
  filter?: (f: Fill) => number; // time that dates filter
  cursor?: "offset" | "time" | "exact"; // exact: position of the last row
  round?: number; // dates floored
  roundReq?: number; // only the dates of the request are floored
  ceilStart?: boolean;
  cut?: { ms: number; keep: "start" | "end"; clampEnd?: boolean; clampStart?: number };
  cap?: { rows: number; keep?: "old" | "new" | "mixed" };
  noFuture?: boolean; // refuse endDate > now
  maxWidth?: number;
  oldest?: number;
  slowWidth?: number;
  filterAfter?: number; // share dropped after the page was cut, `last` only if page full
  shortPages?: number; // seed
  emptyPages?: number;
  lastOnFinal?: "absent" | "cursor" | "";
  forgets?: boolean; // cursor forgets dates
  endExclusive?: boolean;
  startExclusive?: boolean;
  falseEmpty?: number;
  replica?: { share: number; lacks?: (f: Fill) => boolean };
  undatedDays?: number;
  fallbackRecent?: boolean; // an empty range answers the newest page
  visible?: (f: Fill, now: number, asked: number) => boolean;
  rowsAt?: (now: number, asked: number) => Fill[];
}

const hash = (s: string) => { let h = 2166136261; for (let i = 0; i < s.length; i++) { h ^= s.charCodeAt(i); h = Math.imul(h, 16777619); } h ^= h >>> 15; h = Math.imul(h, 0x85ebca6b); h ^= h >>> 13; return (h >>> 0) / 4294967296; };
export { hash };

export function serve(svc: Svc, request: PageRequest, now: number, asked: number, random: () => number): PageAnswer {
  const page = (rows: Fill[], last?: string): PageAnswer => ({ kind: "page", body: "[]", rows: rows.map((fill) => ({ fill })), ...(last === undefined ? {} : { last }) });
  let { startDate: s = Number.NEGATIVE_INFINITY, endDate: e = Number.POSITIVE_INFINITY } = request;
  const { start } = request;
  const isUndated = request.startDate === undefined && request.endDate === undefined;
  if (!isUndated) {
    if (svc.noFuture && e > now) return refusedRange();
    if (svc.maxWidth !== undefined && e - s > svc.maxWidth) return refusedRange();
    if (svc.oldest !== undefined && s < now - svc.oldest) return refusedRange();
    if (svc.slowWidth !== undefined && e - s > svc.slowWidth) return { kind: "range-refused", problem: new FillbookError("incomplete", "504") };
  } else if (svc.undatedDays !== undefined) { s = now - svc.undatedDays * DAY_MS; e = now; }
  if (svc.round) { s = Math.floor(s / svc.round) * svc.round; e = Math.floor(e / svc.round) * svc.round; }
  if (svc.roundReq) { s = (svc.ceilStart ? Math.ceil : Math.floor)(s / svc.roundReq) * svc.roundReq; e = Math.floor(e / svc.roundReq) * svc.roundReq; }
  if (svc.cut) {
    if (svc.cut.clampEnd) e = Math.min(e, now);
    if (svc.cut.clampStart !== undefined) s = Math.max(s, svc.cut.clampStart);
    if (e - s > svc.cut.ms) { if (svc.cut.keep === "start") e = s + svc.cut.ms; else s = e - svc.cut.ms; }
  }
  const filter = svc.filter ?? ((f: Fill) => f.txCreated);
  const key = svc.key ?? ((f: Fill) => f.txCreated);
  if (svc.falseEmpty && random() < svc.falseEmpty) return page([]);
  let all = svc.rowsAt ? svc.rowsAt(now, asked) : svc.fills;
  if (svc.visible) all = all.filter((f) => svc.visible!(f, now, asked));
  if (svc.replica && random() < svc.replica.share) all = all.filter((f) => !svc.replica!.lacks!(f));
  const inside = (f: Fill) => { let t = filter(f); if (svc.round) t = Math.floor(t / svc.round) * svc.round; return (svc.startExclusive ? t > s : t >= s) && (svc.endExclusive ? t < e : t <= e); };
  let rows = (svc.forgets && start !== undefined && start !== "" ? all.slice() : all.filter(inside));
  const tie = (f: Fill) => hash(identityOf(f));
  const sorted = (list: Fill[], order: string) => order === "mixed" ? list.toSorted((a, b) => tie(a) - tie(b)) : list.toSorted((a, b) => (order === "asc" ? key(a) - key(b) : key(b) - key(a)) || tie(a) - tie(b));
  if (svc.cap) {
    const keep = svc.cap.keep ?? "new";
    rows = sorted(rows, keep === "mixed" ? "mixed" : keep === "old" ? "asc" : "desc").slice(0, svc.cap.rows);
  }
  rows = sorted(rows, svc.order ?? "desc");
  let at = 0;
  let empties = 0;
  const cursor = svc.cursor ?? "exact";
  if (start !== undefined && start !== "") {
    const [where, n = "0"] = start.split("~");
    empties = Number(n);
    if (cursor === "offset") at = Number(where);
    else if (cursor === "time") { const k = Number(where); at = rows.findIndex((f) => (svc.order === "asc" ? key(f) > k : key(f) < k)); if (at === -1) at = rows.length; }
    else { // exact position by key+tie
      const [k, t] = where!.split("_").map(Number) as [number, number];
      at = svc.order === "mixed" ? rows.findIndex((f) => tie(f) > t) : rows.findIndex((f) => (svc.order === "asc" ? key(f) > k || (key(f) === k && tie(f) > t) : key(f) < k || (key(f) === k && tie(f) > t)));
      if (at === -1) at = rows.length;
    }
  }
  if (svc.emptyPages && at < rows.length && empties < 5 && hash(`${start}${at}${s}`) < svc.emptyPages) {
    const name = start === undefined || start === "" ? (rows[0] ? (cursor === "offset" ? "0" : null) : null) : start.split("~")[0]!;
    if (name !== null) return page([], `${name}~${empties + 1}`);
  }
  let limit = svc.page;
  if (svc.shortPages !== undefined) limit = 1 + Math.floor(hash(`${svc.shortPages}${at}${s}`) * svc.page);
  const got = rows.slice(at, at + limit);
  const isFinal = at + limit >= rows.length;
  const lastRow = got.at(-1);
  const name = lastRow === undefined ? undefined : cursor === "offset" ? String(at + limit) : cursor === "time" ? String(key(lastRow)) : `${key(lastRow)}_${tie(lastRow)}`;
  if (svc.filterAfter) {
    const shown = got.filter((f) => hash(`x${identityOf(f)}`) >= 0 && f.market !== "HIDDEN");
    return page(shown, shown.length === svc.page ? name : undefined);
  }
  if (isFinal) {
    if (got.length === 0 && svc.fallbackRecent && !isUndated && start === undefined) return page(sorted(all, "desc").slice(0, svc.page));
    const end = svc.lastOnFinal ?? "absent";
    if (end === "cursor" && got.length > 0) return page(got, name);
    if (end === "" && (got.length > 0 || start === undefined)) return page(got, "");
    return page(got);
  }
  return page(got, name);
}
function refusedRange(): PageAnswer { return { kind: "range-refused", problem: new FillbookError("usage", "dates refused") }; }

export interface RunOpts { from?: number; to?: number; pace?: "once" | "hurry" | "usual"; again?: boolean; now?: number; lookBackDays?: number; alwaysLooksBack?: boolean; concurrency?: number; abortAfter?: number; failAfter?: number; settle?: number; pageMs?: number; }

let runs = 0;
export async function run(svc: Svc, store: Store, opts: RunOpts = {}, seed = 1) {
  const { now = NOW, concurrency = 4 } = opts;
  const clock = fakeClock({ now, auto: true });
  const control = new AbortController();
  const counts = { requests: 0, refused: 0 };
  const random = prng(seed * 7919 + runs).next;
  const log: PageRequest[] = [];
  const reader = stubReader({
    counts,
    async completedOrders(request: PageRequest, signal: AbortSignal) {
      if (signal.aborted) throw new StoppedError();
      counts.requests += 1;
      if (counts.requests > 60_000) throw new Error("runaway");
      if (opts.abortAfter !== undefined && counts.requests > opts.abortAfter) { control.abort(); throw new StoppedError(); }
      if (opts.failAfter !== undefined && counts.requests > opts.failAfter) throw new FillbookError("incomplete", "503");
      log.push(request);
      await Promise.resolve();
      if (concurrency > 1) for (let i = Math.floor(random() * 4); i > 0; i -= 1) await Promise.resolve();
      return serve(svc, request, clock.now(), counts.requests, random);
    },
  });
  runs += 1;
  const mine = runs;
  let ids = 0;
  const job: RunContext = {
    account: "main", reader, store, packStore: null, clock,
    random: { next: () => 0.5, id: () => `id-${mine}-${ids++}` },
    settleLagMs: opts.settle ?? 0, lookBackMs: (opts.lookBackDays ?? 0) * DAY_MS, concurrency, signal: control.signal, report: () => undefined,
    ...(opts.alwaysLooksBack ? { alwaysLooksBack: true } : {}),
  };
  const result = await syncArchive(job, { pace: opts.pace ?? "hurry", ...(opts.from === undefined ? {} : { from: opts.from }), ...(opts.to === undefined ? {} : { to: opts.to }), ...(opts.again ? { rechecksAll: true } : {}) });
  return { ...result, log };
}

export async function held(store: Store) {
  if ((await store.get("main/head.json")) === null) return { rows: new Map<string, Fill[]>(), manifest: null };
  const { manifest } = await readArchive(store, "main");
  const read = unitReader(store, manifest);
  const rows = new Map<string, Fill[]>();
  for (const unit of unitsOf(manifest)) for (const fill of await read(unit)) rows.set(identityOf(fill), [...(rows.get(identityOf(fill)) ?? []), fill]);
  return { rows, manifest };
}

/** lost: fills of times covered twice (or `readings`) not held; doubled; */
export async function check(svc: Svc, store: Store, now = NOW, truth = svc.rowsAt ? svc.rowsAt(now, 1e9) : svc.fills) {
  const { rows, manifest } = await held(store);
  const cov = (manifest?.coverage ?? []).filter((c) => c.readings === 2);
  const lost = truth.filter((f) => cov.some((c) => c.from <= f.txCreated && f.txCreated < c.to) && !rows.has(identityOf(f)));
  const names = new Set(truth.map(identityOf));
  const invented = [...rows.keys()].filter((k) => !names.has(k)).length;
  const doubled = [...rows.values()].filter((v) => v.length > 1).length;
  const right = new Map(truth.map((f) => [identityOf(f), f]));
  const wrong = [...rows].filter(([k, v]) => right.has(k) && v[0]!.txCreated !== right.get(k)!.txCreated).length;
  return { lost: lost.length, doubled, invented, wrong, held: rows.size, truth: truth.length, silent: Math.max(0, ...cov.map((c) => c.silentIn ?? 0)) / DAY_MS, known: manifest?.known, lostFills: lost };
}

let serial = 0;
export function fillAt(t: number, filledAt: number | null = t, more: Partial<Fill> = {}): Fill {
  serial += 1;
  return makeFill({ matchId: `m-${serial}`, orderId: `o-${serial}`, txCreated: Math.floor(t), filledAt: filledAt === null ? null : Math.floor(filledAt), ...more });
}
export function sessionsOf(seed: number, count: number, fills: number, days: number, hours = 4, until = NOW): Fill[] {
  const r = prng(seed).next;
  return Array.from({ length: count }, () => until - 2 * DAY_MS - r() * (days - 4) * DAY_MS).flatMap((at) => Array.from({ length: fills }, () => fillAt(at + r() * hours * HOUR_MS)));
}
export async function show(name: string, svc: Svc, opts: RunOpts = {}, store = memoryStore(), seed = 1) {
  const began = Date.now();
  const { complete, requests, problem } = await run(svc, store, opts, seed);
  const { lost, doubled, invented, wrong, held: h, truth, silent, known } = await check(svc, store, opts.now);
  const bad = complete && (lost > 0 || doubled > 0);
  console.log(`${bad ? "!!! " : "    "}${name}: complete=${complete} req=${requests} lost=${lost} dbl=${doubled} inv=${invented} wrong=${wrong} held=${h}/${truth} silent=${silent.toFixed(2)} believed=${known?.believedMs == null ? null : known.believedMs / DAY_MS} rung=${known?.rung} van=${known?.vanished.length} ${problem?.kind ?? ""} ${problem?.message ?? ""} ${Date.now() - began}ms`);
  return { complete, requests, lost, store, problem };
}

import { byTxCreated, type Fill, identityOf } from "../core/fill.ts";
import { covers, holds, isWithin, overlaps, union } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import { coverageAfter } from "./coverage.ts";
import { encodeDataFile, type Rows, readRows, rowsOf } from "./data-file.ts";
import { dataFileKey, manifestKey, monthOf, readingsKey, restatementsKey, sha256Of } from "./keys.ts";
import type { Coverage, DataFile, Known, Lateness, Manifest } from "./manifest.ts";
import type { Restatement } from "./merge.ts";
import { createContent, encodeText, textOf } from "./objects.ts";
import { cutMonth } from "./partition.ts";
import type { SessionPorts } from "./ports.ts";
import { encodeRestatements } from "./restatements.ts";

/** What one answer, or one chain of them, brought. */
export interface Filing {
  /** All rows of the answer, or those that are new or have changed. */
  readonly fills: readonly Fill[];
  /** What it covers. Null: nothing. */
  readonly covers: Coverage | null;
  /** Ranges whose second reading is not believed any more. */
  readonly doubts?: readonly TimeRange[];
  /** Versions that are held at another `txCreated` than the one that came. */
  readonly moved?: readonly Fill[];
  /** How many requests it took, and the rows that were shown, if those are more than `fills`. */
  readonly requests?: number;
  readonly shown?: readonly Fill[];
}

/** A filing that waits for its commit: of the rows that were shown, the evidence is left. */
export interface WaitingFiling extends Pick<Filing, "fills" | "covers" | "doubts"> {
  readonly moved: readonly Fill[];
  readonly evidence: readonly string[];
}

export interface CommitPorts extends Pick<SessionPorts, "account" | "store" | "clock"> {
  readonly run: string;
  readonly load: (file: DataFile) => Promise<readonly Fill[]>;
}

/** A manifest that is written, and that no head names yet. */
export interface BuiltCommit {
  readonly manifest: Manifest;
  readonly sha256: string;
  readonly restated: number;
  /** The beginnings of the months whose data files have changed, ms UTC. */
  readonly months: readonly number[];
}

/**
 * Writes data files, restatements and evidence, then the manifest that names them. `isLast`: months that are
 * not covered yet are cut, too.
 */
export async function buildCommit(
  ports: CommitPorts,
  before: Manifest,
  { filings, known, isLast }: { filings: readonly WaitingFiling[]; known: Known; isLast: boolean },
): Promise<BuiltCommit> {
  const { account, clock, run } = ports;
  const objects: { readonly key: string; readonly body: Uint8Array }[] = [];
  const coverage = filings.reduce(coverageAfter, before.coverage);
  const filed = await fileFills(ports, before, { filings, coverage, isLast });
  const seq = before.seq + 1;
  const seenAt = clock.now();
  const restatements = [...before.restatements];
  if (filed.restated.length > 0) {
    const { file, body } = encodeRestatements(filed.restated, { seenAt, seq: restatements.length + 1, run });
    restatements.push(file);
    objects.push({ key: restatementsKey(account, file), body });
  }
  const evidence = filings.flatMap((one) => one.evidence);
  if (evidence.length > 0) {
    const { sha256, body } = encodeText(textOf(evidence));
    objects.push({ key: readingsKey(account, seq, { sha256, run }), body });
  }
  const late = filed.restated.filter(({ kind }) => kind === "late").map(({ after }) => after);
  const manifest: Manifest = {
    ...before,
    seq,
    run,
    fills: filed.dataFiles.reduce((sum, { fills }) => sum + fills, 0),
    dataFiles: filed.dataFiles,
    coverage,
    known,
    lateness: latenessAfter(before.lateness, late, seenAt),
    restatements,
  };
  await Promise.all(objects.map(({ key, body }) => createContent(ports, key, body)));
  const text = manifestBody(manifest);
  const sha256 = sha256Of(text);
  await createContent(ports, manifestKey(account, seq, sha256), text);
  return { manifest, sha256, restated: filed.restated.length, months: filed.months };
}

/** The bytes of the manifest's object, from which its hash is made. */
export function manifestBody(manifest: Manifest): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(manifest)}\n`);
}

/** Puts fills into chains' files of their own, or cuts their months anew. */
async function fileFills(
  ports: CommitPorts,
  { dataFiles: held, coverage: coveredBefore }: Manifest,
  { filings, coverage, isLast }: { filings: readonly WaitingFiling[]; coverage: readonly Coverage[]; isLast: boolean },
) {
  const twice = union(coveredBefore.filter(({ readings }) => readings === 2));
  const covered = union(coverage);
  const incoming = filings.map(({ fills }) => fills);
  const moved = filings.flatMap((one) => one.moved);
  const chains = held.filter(({ kind }) => kind === "chain");
  const times = [
    ...[...incoming.flat(), ...moved].map(({ txCreated }) => txCreated),
    ...chains.map(({ from }) => from),
  ];
  const filed = { dataFiles: held, restated: [] as Restatement[], months: [] as number[] };
  const late: Fill[] = [];
  const removed: Fill[] = [];
  for (const from of [...new Set(times.map((time) => monthOf(time).from))].sort((a, b) => a - b)) {
    const month = monthOf(from);
    const isOwn = ({ txCreated }: Fill) => isWithin(month, txCreated);
    const own = filed.dataFiles.filter((file) => overlaps(file, month));
    const parts = incoming.map((fills) => fills.filter(isOwn)).filter((fills) => fills.length > 0);
    const gone = new Set(moved.filter(isOwn).map(({ row }) => row));
    const isNew = parts.length > 0 || gone.size > 0 || own.some(({ kind }) => kind === "chain");
    const isRead = gone.size > 0 || parts.flat().some(({ txCreated }) => holds(twice, txCreated));
    if (isNew && (isLast || isRead || covers(covered, month))) {
      const cut = await cutAnew(ports, month, { files: own, incoming: parts.flat(), gone });
      filed.restated.push(...cut.restated);
      late.push(...cut.added.filter(({ txCreated }) => holds(twice, txCreated)));
      removed.push(...cut.removed);
      filed.dataFiles = inOrder([...filed.dataFiles.filter((file) => !own.includes(file)), ...cut.files]);
      filed.months.push(from);
    } else if (parts.length > 0) {
      const written = await Promise.all(parts.map((fills) => writeChain(ports, fills)));
      filed.dataFiles = eachOnce([...filed.dataFiles, ...written]);
      filed.months.push(from);
    }
  }
  filed.restated.push(...movedOrLate({ removed, late, incoming: incoming.flat() }));
  return filed;
}

/** Two chains of a run may bring the same rows. */
function eachOnce(files: readonly DataFile[]): readonly DataFile[] {
  return [...new Map(files.map((file) => [`${file.from} ${file.sha256} ${file.run}`, file])).values()];
}

/** A fill that was held at another time is no late one. */
function movedOrLate(fills: Readonly<Record<"removed" | "late" | "incoming", readonly Fill[]>>): Restatement[] {
  const after = new Map(fills.removed.length === 0 ? [] : fills.incoming.map((fill) => [identityOf(fill), fill]));
  const moves = fills.removed.flatMap((before): Restatement[] => {
    const other = after.get(identityOf(before));
    return other === undefined ? [] : [{ kind: "changed", before, after: other }];
  });
  const isMoved = new Set(moves.map((one) => identityOf(one.after)));
  const late = fills.late.filter((fill) => !isMoved.has(identityOf(fill)));
  return [...moves, ...late.map((fill) => ({ kind: "late" as const, before: null, after: fill }))];
}

/** Parts by time, then chains in the order of writing. */
function inOrder(files: readonly DataFile[]): readonly DataFile[] {
  const parts = files.filter(({ kind }) => kind === "part").sort((a, b) => a.from - b.from);
  return [...parts, ...files.filter(({ kind }) => kind === "chain")];
}

async function cutAnew(
  ports: CommitPorts,
  month: TimeRange,
  content: Parameters<typeof cutMonth>[1],
): ReturnType<typeof cutMonth> {
  const write = async (rows: Rows, range: TimeRange): Promise<DataFile> => {
    const { file, body } = encodeDataFile(rows, { ...range, run: ports.run, kind: "part" });
    const same = content.files.find(
      (one) => one.kind === "part" && one.sha256 === file.sha256 && one.from === file.from && one.to === file.to,
    );
    if (same === undefined) {
      await createContent(ports, dataFileKey(ports.account, file), body);
    }
    return same ?? file;
  };
  const rowsIn = (file: DataFile) => readRows(ports.store, ports.account, file);
  return await cutMonth(month, content, { load: ports.load, rowsIn, write });
}

async function writeChain(ports: CommitPorts, fills: readonly Fill[]): Promise<DataFile> {
  const each = [...new Map(fills.map((fill) => [identityOf(fill), fill])).values()];
  each.sort(byTxCreated);
  const range = { from: (each[0] as Fill).txCreated, to: (each.at(-1) as Fill).txCreated + 1 };
  const { file, body } = encodeDataFile(rowsOf(each), { ...range, run: ports.run, kind: "chain" });
  await createContent(ports, dataFileKey(ports.account, file), body);
  return file;
}

/** One line: what was asked and what came. */
export function evidenceOf({ covers: range, doubts = [], requests = 0, shown, fills }: Filing, at: number): string[] {
  const line = ({ from, to }: TimeRange, readings: number, asked: number, rows: readonly Fill[]) => {
    const digest = sha256Of(rows.map(identityOf).sort().join("\n"));
    const times = { from: isoTime(from), to: isoTime(to), readings, at: isoTime(at) };
    return JSON.stringify({ ...times, requests: asked, rows: rows.length, digest });
  };
  const doubted = doubts.map((one) => line(one, 0, 0, []));
  const own = range === null ? [] : (shown ?? fills).filter(({ txCreated }) => isWithin(range, txCreated));
  return range === null ? doubted : [...doubted, line(range, range.readings, requests, own)];
}

function latenessAfter(known: Lateness | null, late: readonly Fill[], seenAt: number): Lateness | null {
  if (late.length === 0) {
    return known;
  }
  const longest = late.reduce((most, { txCreated }) => Math.max(most, seenAt - txCreated), known?.maxMs ?? 0);
  return { maxMs: longest, count: (known?.count ?? 0) + late.length, lastSeenAt: seenAt };
}

import { byTxCreated, type Fill, identityOf } from "../core/fill.ts";
import { covers, holds, isWithin, overlaps, union } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import { textOf } from "../formats/lines.ts";
import { coverageAfter } from "./coverage.ts";
import { type Draft, draftOf, encodeDataFile } from "./data-file.ts";
import type { SessionPorts } from "./head.ts";
import { dataFileKey, manifestKey, monthOf, readingsKey, restatementsKey, sha256Of } from "./keys.ts";
import type { Coverage, DataFile, Known, Manifest } from "./manifest.ts";
import type { Restatement } from "./merge.ts";
import { createContent, encodeText } from "./objects.ts";
import { cutMonth } from "./partition.ts";
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
export interface WaitingFiling extends Omit<Filing, "requests" | "shown"> {
  readonly evidence: readonly string[];
}

export interface CommitPorts extends Pick<SessionPorts, "account" | "store" | "clock"> {
  readonly run: string;
  readonly textIn: (file: DataFile) => Promise<Buffer>;
}

/**
 * Writes data files, restatements and evidence, then the manifest that names them; no head names it yet. `isLast`:
 * months that are not covered yet are cut, too. `months`: the beginnings of those that have changed, ms UTC.
 */
export async function buildCommit(
  ports: CommitPorts,
  before: Manifest,
  { filings, known, isLast }: { filings: readonly WaitingFiling[]; known: Known; isLast: boolean },
) {
  const { account, clock, run } = ports;
  const coverage = filings.reduce(coverageAfter, before.coverage);
  const { dataFiles, restated, months } = await fileFills(ports, before, { filings, coverage, isLast });
  const seq = before.seq + 1;
  const seenAt = clock.now();
  const restatements = [...before.restatements];
  if (restated.length > 0) {
    const { file, body } = encodeRestatements(restated, { seenAt, seq: restatements.length + 1, run });
    restatements.push(file);
    await createContent(ports, restatementsKey(account, file), body);
  }
  const evidence = filings.flatMap((one) => one.evidence);
  if (evidence.length > 0) {
    const { sha256, body } = encodeText(textOf(evidence));
    await createContent(ports, readingsKey(account, seq, { sha256, run }), body);
  }
  const manifest: Manifest = {
    ...before,
    seq,
    run,
    fills: dataFiles.reduce((sum, { fills }) => sum + fills, 0),
    dataFiles,
    coverage,
    known,
    restatements,
  };
  const text = Buffer.from(`${JSON.stringify(manifest)}\n`);
  const sha256 = sha256Of(text);
  await createContent(ports, manifestKey(account, seq, sha256), text);
  return { manifest, ref: { seq, sha256 }, restated: restated.length, months };
}

/** Puts fills into chains' files of their own, or cuts their months anew. */
async function fileFills(
  ports: CommitPorts,
  { dataFiles: held, coverage: coveredBefore }: Manifest,
  { filings, coverage, isLast }: { filings: readonly WaitingFiling[]; coverage: readonly Coverage[]; isLast: boolean },
) {
  const { textIn } = ports;
  const twice = union(coveredBefore.filter(({ readings }) => readings === 2));
  const isTwice = ({ txCreated }: Fill) => holds(twice, txCreated);
  const covered = union(coverage);
  const incoming = filings.map(({ fills }) => fills);
  const moved = filings.flatMap((one) => one.moved ?? []);
  const times = [...incoming.flat(), ...moved].map(({ txCreated }) => txCreated);
  const chained = held.filter(({ kind }) => kind === "chain").map(({ from }) => from);
  let dataFiles = held;
  const restated: Restatement[] = [];
  const late: Fill[] = [];
  const removed: Fill[] = [];
  const months = [...new Set([...times, ...chained].map((time) => monthOf(time).from))].sort((a, b) => a - b);
  for (const month of months.map(monthOf)) {
    const isOwn = ({ txCreated }: Fill) => isWithin(month, txCreated);
    const own = dataFiles.filter((file) => overlaps(file, month));
    const parts = incoming.map((fills) => fills.filter(isOwn)).filter((fills) => fills.length > 0);
    const gone = moved.filter(isOwn);
    const chains = parts.map(chainOf).filter((chain) => chain !== null);
    const isCompared = gone.length > 0 || chains.length < parts.length || parts.some((fills) => fills.some(isTwice));
    if (isLast || isCompared || covers(covered, month)) {
      const write = (part: Draft) => writeFile(ports, part, own);
      const cut = await cutMonth(
        month,
        isCompared ? { sources: own, incoming: parts.flat(), gone } : { sources: [...own, ...chains] },
        { textIn, write },
      );
      restated.push(...cut.restated);
      late.push(...cut.added.filter(isTwice));
      removed.push(...cut.removed);
      dataFiles = [...dataFiles.filter((file) => !own.includes(file)), ...cut.files];
    } else {
      dataFiles = [...dataFiles, ...(await Promise.all(chains.map((chain) => writeFile(ports, chain))))];
    }
  }
  const gone = new Set(removed.map(identityOf));
  const moves = removed.flatMap((before) => {
    const after = incoming.flat().findLast((fill) => identityOf(fill) === identityOf(before));
    return after === undefined ? [] : [{ kind: "changed" as const, before, after }];
  });
  const lates = late.filter((fill) => !gone.has(identityOf(fill))); // what was held at another time is not late
  restated.push(...moves, ...lates.map((fill) => ({ kind: "late" as const, before: null, after: fill })));
  return { dataFiles: inOrder(dataFiles), restated, months };
}

/** Parts by time, then chains in the order of writing; each once, as two chains of a run may bring the same rows. */
function inOrder(files: readonly DataFile[]): readonly DataFile[] {
  const all = [...new Map(files.map((file) => [`${file.from} ${file.to} ${file.sha256} ${file.run}`, file])).values()];
  const parts = all.filter(({ kind }) => kind === "part").sort((a, b) => a.from - b.from);
  return [...parts, ...all.filter(({ kind }) => kind === "chain")];
}

/** Writes a data file, unless one of `held` is the same. */
async function writeFile(
  { account, run, ...ports }: CommitPorts,
  draft: Draft,
  held: readonly DataFile[] = [],
): Promise<DataFile> {
  const { file, body } = encodeDataFile(draft, run);
  const isSame = ({ kind, sha256, from, to }: DataFile) =>
    kind === file.kind && sha256 === file.sha256 && from === file.from && to === file.to;
  const same = held.find(isSame);
  if (same === undefined) {
    await createContent(ports, dataFileKey(account, file), body);
  }
  return same ?? file;
}

/** What one answer brought, as a file of its own. Null: it has a fill in two versions. */
function chainOf(fills: readonly Fill[]): Draft | null {
  const each = [...new Map(fills.map((fill) => [identityOf(fill), fill])).values()].sort(byTxCreated);
  if (each.length < fills.length && each.length < new Set(fills.map(({ row }) => row)).size) {
    return null;
  }
  const [from, last] = [each[0] as Fill, each.at(-1) as Fill].map(({ txCreated }) => txCreated) as [number, number];
  return draftOf({ from, to: last + 1, kind: "chain" }, each);
}

/** A line for each doubt (0 readings), and one for what was asked and what came. */
export function evidenceOf({ covers: own, doubts = [], requests = 0, shown, fills }: Filing, at: number): string[] {
  return [...doubts.map((one) => ({ ...one, readings: 0 })), own ?? []].flat().map((range) => {
    const isDoubt = range.readings === 0;
    const rows = isDoubt ? [] : (shown ?? fills).filter(({ txCreated }) => isWithin(range, txCreated));
    const digest = sha256Of(rows.toSorted(byTxCreated).map(identityOf).join("\n"));
    const times = { from: isoTime(range.from), to: isoTime(range.to), readings: range.readings, at: isoTime(at) };
    return JSON.stringify({ ...times, requests: isDoubt ? 0 : requests, rows: rows.length, digest });
  });
}

import { hash } from "node:crypto";
import { countOf } from "../../accounting/aggregate.ts";
import { FillbookError } from "../../core/errors.ts";
import { isWithin } from "../../core/ranges.ts";
import { counted } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import { canonicalJson } from "../../formats/json.ts";
import type { InputFile } from "../../inputs/files.ts";
import type { PackFile } from "../../job/context.ts";
import { DATE_BY } from "../build/date-by.ts";
import type { PackFigures } from "../build/figures.ts";
import { FILLS_CSV, FILLS_PARQUET, FillTables } from "../build/fill-tables.ts";
import { type FileFacts, type FileMaker, INCOMPLETE_MARK } from "../build/maker.ts";
import { checksums, writeText } from "../build/pack-file-writer.ts";
import { finishMaker, openMakers, PackFiles } from "../build/pack-files.ts";
import { type MadePack, nameLatest, noteOf, PACK_FORMAT, type Pack } from "../build/publish.ts";
import { inputFacts } from "../build/writing.ts";
import { assumptionsOf } from "../catalogue/assumptions.ts";
import { breakText, coverageTexts, GROUP_FORMAT } from "../catalogue/completeness.ts";
import { DATAPACKAGE, type Described, datapackageText } from "../catalogue/datapackage.ts";
import { type StatedNet, statedNets } from "../catalogue/net.ts";
import { summaryMakers } from "../files/csv/summary.ts";
import { pageOf, REPORT_PAGE } from "../files/report/report.ts";
import { type View, viewOf } from "../files/report/view.ts";
import { type AccountsMaterial, accountsSection } from "./accounts-section.ts";
import { cashMaker, cashOf } from "./cash.ts";
import { combined, type FillProof, type GroupName, type Members } from "./combine.ts";
import { matchTransfers } from "./match-transfers.ts";
import { mergedFills } from "./merged-fills.ts";
import { writeTables } from "./tables.ts";
import { transfersMaker } from "./transfers-csv.ts";

export interface Group extends GroupName {
  /** The user's files of the whole group, to be copied into its pack. */
  readonly files: readonly InputFile[];
}

export interface GroupPack {
  /** Key prefix in the pack store, without a slash at its end. */
  readonly dir: string;
  /** SHA256SUMS is the last. */
  readonly files: readonly PackFile[];
}

/** Sorted by account. All have the same period, method, currency and store. */
export type GroupMembers = readonly [MadePack, ...MadePack[]];

const GROUP_FILLS: FileFacts = {
  ...FILLS_CSV,
  description:
    "One row for each fill of all accounts, sorted by time. Numbers are written as the venue gave them. Text that a spreadsheet would run as a formula begins with an apostrophe; each account's own completeness.json has the number of these cells.",
};

const GROUP_COMPLETENESS: FileFacts = {
  path: "completeness.json",
  description:
    "Completeness of the group's pack: the version and checksums of each account's own pack, what was read and how often, gaps, totals of the period and of each month.",
  mediatype: "application/json",
};

/**
 * Writes the pack of a group: the fills of all accounts in one order, their tables below one another, totals,
 * transfers between accounts, the report. It names each account's own pack by its checksums. Throws
 * `untrusted` if two accounts hold the same fill.
 */
export async function writeGroupPack(group: Group, members: GroupMembers): Promise<GroupPack> {
  const [{ request }] = members;
  const { period, packStore } = request;
  const isComplete = members.every(({ pack }) => pack.complete);
  const mark = isComplete ? "" : INCOMPLETE_MARK;
  const version = versionOf(group, members);
  const dir = `${group.name}/packs/${period.name}/${version}${isComplete ? "" : "-INCOMPLETE"}`;
  const files = new PackFiles(packStore, { dir, mark });
  try {
    const { described, nets } = await writeAll(files, group, members);
    const made = described.map(({ file }) => file);
    const sums = await writeText(packStore, dir, `${mark}SHA256SUMS`, checksums(made));
    if (isComplete) {
      await nameLatest(packStore, `${group.name}/packs/${period.name}/latest.json`, {
        version,
        sums,
        note: noteOf(request, nets),
      });
    }
    return { dir, files: [...made, sums] };
  } catch (error) {
    await files.abort();
    throw error;
  }
}

/** 16 hexadecimal digits over everything that decides the bytes. */
function versionOf({ name, files }: Group, members: GroupMembers): string {
  const decisive = {
    format: [GROUP_FORMAT, PACK_FORMAT],
    name,
    inputs: files.map((file) => [file.name, file.sha256]),
    accounts: members.map(({ request, pack }) => [request.account, pack.dir, sumsOf(pack).sha256]),
  };
  return hash("sha256", canonicalJson(decisive), "hex").slice(0, 16);
}

function sumsOf({ files }: Pack): PackFile {
  const sums = files.at(-1);
  if (sums === undefined) {
    throw new RangeError("a pack without its checksums");
  }
  return sums;
}

async function writeAll(
  files: PackFiles,
  group: Group,
  members: GroupMembers,
): Promise<{ readonly described: readonly Described[]; readonly nets: readonly StatedNet[] }> {
  const [{ request }] = members;
  const [first, ...others] = members.map(({ pack }) => pack.figures);
  const figures: Members = [first as Members[0], ...others];
  const { described, proof } = await writeFills(files, members);
  const { context, closing, kept } = combined(group, figures, proof);
  const nets = statedNets(context, closing);
  const view = viewOf(context, closing, kept);
  const transfers = matchTransfers(
    members.flatMap(({ request: { account, inputs } }) => (inputs.transfers ?? []).map((one) => ({ ...one, account }))),
  ).filter(({ time }) => isWithin(request.period, time));
  const material = { members: figures, cash: cashOf(figures, transfers), transfers };
  const open = await openMakers(files, [
    ...summaryMakers(context, request.currency).filter(({ path }) => OWN_SUMMARIES.includes(path)),
    transfersMaker(transfers),
    cashMaker(material.cash),
    reportMaker(view, material),
  ]);
  const packs = members.map(({ request: { account }, pack }) => ({ account, ...pack }));
  const made = [...described, ...(await writeTables(files, request.packStore, packs))];
  for (const one of open) {
    made.push(await finishMaker(one, closing));
  }
  for (const { name, bytes } of group.files) {
    made.push(await files.write(inputFacts(name), bytes));
  }
  made.push(await files.write(GROUP_COMPLETENESS, completenessText(view, members, nets)));
  made.push(await files.write(DATAPACKAGE, datapackageText(context, closing, made)));
  return { described: made, nets };
}

const OWN_SUMMARIES = ["summary.csv", "summary-months.csv"];

function reportMaker(view: View, material: AccountsMaterial): FileMaker {
  return { ...REPORT_PAGE, begin: () => "", add: () => "", end: () => pageOf(view, [accountsSection(view, material)]) };
}

/** The fills of all accounts, in one order. */
async function writeFills(
  files: PackFiles,
  members: GroupMembers,
): Promise<{ readonly described: Described[]; readonly proof: FillProof }> {
  const [{ request }] = members;
  const csv = await files.open(FILLS_CSV.path);
  const parquet = await files.open(FILLS_PARQUET.path);
  const tables = new FillTables(request.account, request.period, DATE_BY[request.basis], { csv, parquet });
  await tables.begin();
  for await (const { account, fills } of mergedFills(members.map((member) => member.request))) {
    await tables.write(fills, account);
  }
  await tables.end();
  const { fills } = tables.totals;
  checkRows(fills, members);
  const file = await csv.finish(fills);
  return {
    proof: { fills, sha256: file.sha256, months: tables.tally.months },
    described: [
      { file, facts: GROUP_FILLS },
      { file: await parquet.finish(fills), facts: FILLS_PARQUET },
    ],
  };
}

/** Checks that what was read again is what the accounts' packs were made from. */
function checkRows(fills: number, members: GroupMembers): void {
  const rows = countOf(members, ({ pack }) => pack.figures.closing.proof.fills);
  if (rows !== fills) {
    throw new FillbookError(
      "untrusted",
      `the accounts' packs have ${counted(rows, "fill")}, but reading them again found ${fills}`,
      { hint: "run fillbook verify for each account, then export again" },
    );
  }
}

function completenessText({ context, closing }: View, members: GroupMembers, nets: readonly StatedNet[]): string {
  const { account, accounts, period, methods, isMethodChosen, basis, complete } = context;
  const { proof, exceptions } = closing;
  const document = {
    format: GROUP_FORMAT,
    group: account,
    accounts: members.map(({ request, pack }, at) => ({
      account: accounts[at],
      pack: pack.dir,
      sha256sums: sumsOf(pack).sha256,
      complete: pack.complete,
      fills: pack.figures.closing.proof.fills,
      inputs: request.inputs.files.map(({ name, sha256 }) => ({ path: name, sha256 })),
    })),
    period: period.name,
    from: isoTime(period.from),
    to: isoTime(period.to),
    zone: period.zone,
    method: methods.primary,
    method_chosen: isMethodChosen,
    basis,
    net_realised_pnl: nets,
    report_currency: closing.converted?.currency ?? null,
    complete,
    breaks: ofEach(members, ({ context: own }) => own.breaks.map(breakText)),
    totals: {
      fills: proof.fills,
      exceptions: exceptions.count,
      restatements: proof.restatements,
    },
    ...coverageTexts(proof),
    assumptions: assumptionsOf(proof),
    notes: [
      "Each fill (match_id, order_id) is in one account only. This was checked for the whole period.",
      "coverage, assumed: of the account that was read least. Each account's own completeness.json says what they mean.",
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The items of each account, with its name. */
function ofEach(members: GroupMembers, listOf: (figures: PackFigures) => readonly object[]): object[] {
  return members.flatMap(({ request: { account }, pack }) => listOf(pack.figures).map((one) => ({ account, ...one })));
}

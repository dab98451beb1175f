import type { Booked, DeclaredPosition } from "../../accounting/booked.ts";
import { projected } from "../../accounting/cube/cell.ts";
import type { CubeDay } from "../../accounting/cube/cube.ts";
import { type Sums, sumsOf } from "../../accounting/cube/scopes.ts";
import { type DeclaredLine, declaredLines, declaredTexts } from "../../accounting/declared.ts";
import { holdingsOf } from "../../accounting/holdings.ts";
import { post } from "../../accounting/posted.ts";
import { HeldTwice } from "../../archive/held-twice.ts";
import { FillbookError } from "../../core/errors.ts";
import { isWithin } from "../../core/ranges.ts";
import type { PackFile } from "../../job/context.ts";
import { COMPLETENESS, type CompletenessStatement, completenessOf } from "../catalogue/completeness.ts";
import { DATAPACKAGE, type Described, datapackageText } from "../catalogue/datapackage.ts";
import { writeRestatements } from "../tables/restatements.ts";
import { adjustmentNotes } from "./adjustments.ts";
import { Books } from "./books.ts";
import type { Contents } from "./contents.ts";
import { isLinear } from "./contracts.ts";
import { DATE_BY } from "./date-by.ts";
import type { Closing, FileFacts, FileMaker, PackContext, Proof } from "./maker.ts";
import { checksums, PackFiles, type PackFileWriter, type Place } from "./pack-files.ts";
import type { PackRequest } from "./request.ts";
import { cutOffFillsOf, ofEach, type Selected, unorderedFillsOf } from "./selection.ts";
import { unusedOf } from "./unused.ts";

export interface Writing extends Place {
  readonly claim: CompletenessStatement & Pick<Proof, "readTwiceAt">;
  /** By account. */
  readonly selected: readonly Selected[];
  readonly contents: Contents;
}

export interface Written {
  readonly context: PackContext;
  readonly closing: Closing;
  /** SHA256SUMS is the last. */
  readonly files: readonly PackFile[];
  /** False: the pack is too large for a ZIP. */
  readonly hasZip: boolean;
  /** How opening-positions.csv was understood. Of several accounts, the pack says it. */
  readonly declared: readonly DeclaredLine[];
}

/** The most sentences about declared positions of an account in a pack. */
const MOST_DECLARED = 20;

/**
 * Makes all files of a pack in one pass over the fills of its period, and its ZIP. Files that describe other
 * files come last.
 */
export async function writeFiles(request: PackRequest, writing: Writing): Promise<Written> {
  const files = new PackFiles(request.packStore, writing);
  try {
    return await writeAll(files, request, writing);
  } catch (error) {
    await files.abort();
    throw error;
  }
}

async function writeAll(
  files: PackFiles,
  request: PackRequest,
  { claim, selected, contents, ...place }: Writing,
): Promise<Written> {
  const { period, name } = request;
  const { context, exceptions, fills } = contents;
  const open: MadeFile[] = [];
  for (const maker of contents.makers) {
    const file = await files.open(maker.path);
    await file.write(maker.begin());
    open.push({ maker, file });
  }
  const { sums, accounts } = await bookFills(request, selected, contents, open);
  /** The trades that the user declares in the period. */
  const tradesOf = ({ inputs, since }: Selected) =>
    inputs.adjustments.filter(({ time }) => time >= since && isWithin(period, time));
  const linesOf = (one: Selected) =>
    declaredLines(one.inputs.openings, {
      unusedOf: (line) => unusedIn(line, request, one),
      taken: accounts.get(one.account)?.taken ?? new Set(),
    });
  const declaredIn = (isNamed: (line: DeclaredLine) => boolean) =>
    ofEach(selected, (one) => declaredTexts(linesOf(one).filter(isNamed), period.zone, MOST_DECLARED));
  const noted = [
    ...ofEach(selected, (one) => apartNotes(one, sums)),
    ...exceptions.unknown.notes(selected.length > 1),
    ...ofEach(selected, (one) => adjustmentNotes(tradesOf(one), period.zone)),
    ...declaredIn(({ unused, isPriceUsed }) => unused !== null || isPriceUsed === false),
    ...(await unusedOf(request, selected, { sums, accounts })),
    ...contents.rateNotes(),
  ];
  const restated = await writeRestatements(files, selected, period);
  const made: Described[] = [];
  const closing: Closing = {
    sums,
    proof: {
      ...claim,
      fills: fills.rows,
      // It ends first.
      get sha256() {
        return made[0]?.file.sha256 ?? "";
      },
      months: fills.months,
      restatements: restated.totals,
      noted,
      declaredTrades: selected.flatMap(tradesOf).length,
      declared: declaredIn(() => true),
    },
    // Their makers end first.
    get exceptions() {
      return exceptions.summary;
    },
    cash: contents.cash.end(),
  };
  for (const { maker, file } of open) {
    request.report?.(fills.rows, maker.path);
    await file.write(maker.end(closing));
    made.push({ file: await file.finish(maker.rows), facts: maker });
  }
  made.splice(2, 0, restated); // after the fills
  for (const input of request.files) {
    made.push(await files.write(inputFacts(input.name), input.bytes));
  }
  const completeness = completenessOf(context, closing, {
    since: Math.max(...selected.map(({ since }) => since)),
    inputs: request.files,
    fillsWithExceptions: exceptions.fills,
    escaped: contents.makers.reduce((sum, { escaped = 0 }) => sum + escaped, restated.facts.escaped),
  });
  made.push(await files.write(COMPLETENESS, `${JSON.stringify(completeness, null, 2)}\n`));
  made.push(await files.write(DATAPACKAGE, datapackageText(context, closing, made)));
  made.push(await files.write(SUMS, checksums(made.map(({ file }) => file))));
  const all = made.map(({ file }) => file);
  const hasZip = await files.zip(all, `${name}-${period.name}-${place.dir.slice(place.dir.lastIndexOf("/") + 1)}`);
  const declared = selected.length > 1 ? [] : selected.flatMap(linesOf);
  return { context, closing, files: all, hasZip, declared };
}

const SUMS: FileFacts = { path: "SHA256SUMS", description: "", mediatype: "text/plain" };

/** A maker and the file that it makes. */
interface MadeFile {
  readonly maker: FileMaker<string | Uint8Array>;
  readonly file: PackFileWriter;
}

/**
 * Brings the books to the beginning of the period, and books its fills into everything that is made from
 * them.
 */
async function bookFills(
  request: PackRequest,
  selected: readonly Selected[],
  contents: Contents,
  open: readonly MadeFile[],
): Promise<{ readonly sums: Sums } & Pick<Books, "accounts">> {
  const { period, report } = request;
  const { exceptions, cube, context } = contents;
  const basis = DATE_BY[request.basis];
  for (const one of selected) {
    for await (const cutOff of cutOffFillsOf(one, period, basis)) {
      await open.find(({ maker }) => maker === exceptions)?.file.write(exceptions.cutOffFills(one.account, cutOff));
    }
  }
  const heldTwice = new HeldTwice();
  const note = (booked: readonly Booked[]) =>
    heldTwice.add(booked.map(({ fill }) => fill).filter(({ declared }) => declared === undefined));
  const noteEarlier = (booked: readonly Booked[]) => {
    note(booked);
    for (const { account, fill } of booked) {
      exceptions.unknown.add(account, fill, true);
    }
  };
  const borders = cube.months.slice(1).map(({ from }) => from);
  const plan = { accounts: selected, basis, methods: context.methods, borders };
  const writeDays = (days: readonly CubeDay[]) => writeAdded(open, (maker) => maker.addDays?.(days) ?? "");
  const books = await Books.at(plan, period.from, noteEarlier);
  const before = books.stateAt(period.from);
  for await (const booked of books.until(period.to)) {
    note(booked);
    const posted = booked.map((one) => post(one, context.converter));
    for (const one of posted) {
      cube.add(one);
      contents.sums.add(one);
    }
    contents.cash.add(posted);
    await writeAdded(open, (maker) => maker.add(posted));
    await writeDays(cube.endedDays());
    report?.(contents.fills.rows);
  }
  await writeDays(cube.lastDays());
  await refuseDoubles(request, selected, heldTwice);
  contents.checkRates();
  const after = books.stateAt(period.to - 1);
  const holdings = selected.flatMap(({ account, contractTypes }) => {
    const [start = new Map(), end = new Map()] = [before.get(account), after.get(account)];
    const { marks = null } = context.accounts.find((one) => one.account === account) ?? {};
    const { crossed = [] } = books.accounts.get(account) ?? {};
    return holdingsOf(cube, { account, contractTypes, before: start, after: end, crossed, marks });
  });
  return { sums: sumsOf(cube, holdings), accounts: books.accounts };
}

/** What is in no total: sentences without their full stops. */
function apartNotes({ account, contractTypes }: Selected, { cells }: Sums): string[] {
  const own = cells.filter((cell) => cell.account === account);
  return projected(own, ["market", "currency"]).flatMap(({ market, currency, feesApart, notionalApart }) =>
    feesApart.isZero() && notionalApart.isZero()
      ? []
      : `Fees of ${feesApart} and a notional of ${notionalApart} of ${market} are in no total, because they may not be in ${currency}: its contract type is ${contractTypes.get(market ?? "")}`,
  );
}

/**
 * A reading finds a fill that is already held only near its own time (archive/moved.ts). Two archives hold the
 * same fill if one trader's token was used for both. Fills before the period are compared too, because positions
 * and costs come from them.
 */
async function refuseDoubles(
  { period, basis }: PackRequest,
  selected: readonly Selected[],
  heldTwice: HeldTwice,
): Promise<void> {
  const [double] = await heldTwice.doubles(async function* () {
    for (const one of selected) {
      const range = { from: one.since, to: period.to };
      for await (const { key, fills } of unorderedFillsOf(one, range, DATE_BY[basis])) {
        yield { key: JSON.stringify([one.account, key]), fills };
      }
    }
  });
  if (double === undefined) {
    return;
  }
  const { matchId, orderId } = double.fill;
  const [one, other] = double.keys.map((key) => String(JSON.parse(key)[0])).sort();
  const fill = `match ${matchId}, order ${orderId}`;
  const [message, hint] =
    one === other
      ? [`the archive holds a fill twice: ${fill}`, `nothing was published; ${double.hint}`]
      : [
          `${fill} is in the archives of ${one} and ${other}, so a pack of these accounts would count it twice`,
          "most likely, the token of one trader was used for both accounts: find out which archive holds the wrong fills, and export the other account by itself",
        ];
  throw new FillbookError("untrusted", message, { hint });
}

/** Many makers have nothing to say before their end. */
async function writeAdded(
  open: readonly MadeFile[],
  pieceOf: (maker: MadeFile["maker"]) => string | Uint8Array,
): Promise<void> {
  for (const { maker, file } of open) {
    const piece = pieceOf(maker);
    if (piece.length > 0) {
      await file.write(piece);
    }
  }
}

/** Why a line of opening-positions.csv has no effect on the pack. Null: it has. */
function unusedIn(
  { market, asOf, breakFrom = asOf }: DeclaredPosition,
  { period }: PackRequest,
  { since, contractTypes }: Selected,
): DeclaredLine["unused"] {
  if (asOf < since) {
    return "not_covered";
  }
  if (breakFrom >= period.to) {
    return "after_period";
  }
  return market === null || isLinear(contractTypes.get(market)) ? null : "not_linear";
}

/** No claim that a table is one: it may have blank lines, or be one of several in a file. */
function inputFacts(name: string): FileFacts {
  return {
    path: `inputs/${name}`,
    description: "Unchanged copy of a user's file with which this pack was made.",
    ...(name.endsWith(".json") ? { mediatype: "application/json" } : { mediatype: "text/plain", format: "txt" }),
  };
}

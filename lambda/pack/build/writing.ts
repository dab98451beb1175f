import type { Booked, DeclaredPosition } from "../../accounting/booked.ts";
import type { CubeDay } from "../../accounting/cube/cube.ts";
import { sumsOf } from "../../accounting/cube/scopes.ts";
import { methodsOf } from "../../accounting/method.ts";
import { convertedStatementOf } from "../../accounting/rates/converted.ts";
import { statementOf } from "../../accounting/statement.ts";
import { HeldTwice } from "../../archive/held-twice.ts";
import { FillbookError } from "../../core/errors.ts";
import { type DeclaredLine, declaredTexts } from "../../inputs/declared-line.ts";
import { COMPLETENESS, type CompletenessStatement, completenessText } from "../catalogue/completeness.ts";
import { DATAPACKAGE, type Described, datapackageText } from "../catalogue/datapackage.ts";
import { Books, type BooksPlan } from "./books.ts";
import { type Contents, contentsOf } from "./contents.ts";
import { isLinear } from "./contracts.ts";
import { DATE_BY } from "./date-by.ts";
import { declaredLines, type Use } from "./declared.ts";
import type { PackFigures } from "./figures.ts";
import { FILLS_CSV, FILLS_PARQUET, FillTables } from "./fill-tables.ts";
import type { Closing, FileFacts, FileMaker } from "./maker.ts";
import { methodNoteOf } from "./method-note.ts";
import { finishMaker, type MadeFile, openMakers, PackFiles, type Place } from "./pack-files.ts";
import type { PackRequest } from "./request.ts";
import { RESTATEMENTS, writeRestatements } from "./restatements.ts";
import { restatementsOf, type Selected } from "./selected.ts";
import { cutOffFillsOf, unorderedFillsOf } from "./selection.ts";

export interface Writing extends Place {
  readonly claim: CompletenessStatement;
  readonly selected: Selected;
}

export interface Written {
  readonly figures: PackFigures;
  /** Of the accounts, sorted. */
  readonly markets: readonly string[];
  /** See method-note.ts. */
  readonly methodNote: string | null;
  /** How opening-positions.csv was understood. */
  readonly declared: readonly DeclaredLine[];
}

/** The most sentences about declared positions in a pack. */
const MOST_DECLARED = 20;

/**
 * Makes all files of a pack in one pass over the fills of its period. Files that describe other files come
 * last.
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

async function writeAll(files: PackFiles, request: PackRequest, { claim, selected }: Writing): Promise<Written> {
  const { account, period, inputs } = request;
  const contents = contentsOf(request, selected.since);
  const { context } = contents;
  const csv = await files.open(FILLS_CSV.path);
  const parquet = await files.open(FILLS_PARQUET.path);
  const tables = new FillTables(account, period, DATE_BY[request.basis], { csv, parquet });
  await tables.begin();
  const open = await openMakers(files, contents.makers);
  const { taken, ...booked } = await bookFills(request, selected, { contents, tables, open });
  await tables.end();
  const { fills } = tables.totals;
  const restated = await files.open(RESTATEMENTS.path);
  const restatements = await writeRestatements(restated, restatementsOf(request));
  const declared = declaredLines(inputs.openings, { unusedOf: unusedIn(request, selected), taken });
  const made: Described[] = [
    { file: await csv.finish(fills), facts: FILLS_CSV },
    { file: await parquet.finish(fills), facts: FILLS_PARQUET },
    { file: await restated.finish(restatements.rows), facts: RESTATEMENTS },
  ];
  const closing: Closing = {
    ...booked,
    proof: {
      ...claim,
      fills,
      sha256: made[0]?.file.sha256 ?? "",
      months: tables.tally.months,
      restatements,
      declared: declaredTexts(declared, period.zone, MOST_DECLARED),
    },
    // Their makers end first.
    get exceptions() {
      return contents.exceptions.summary;
    },
    get cash() {
      return contents.balance.compared();
    },
    converted: request.currency === null ? null : convertedStatementOf(contents.cube, request.currency),
  };
  for (const one of open) {
    request.report?.(fills, one.maker.path);
    made.push(await finishMaker(one, closing));
  }
  for (const { name, bytes } of inputs.files) {
    made.push(await files.write(inputFacts(name), bytes));
  }
  const escaped = contents.makers.reduce((sum, maker) => sum + (maker.escaped ?? 0), 0);
  const foundations = {
    since: selected.since,
    inputs: inputs.files,
    fillsWithExceptions: contents.exceptions.fills,
    escaped: escaped + tables.totals.escaped + restatements.escaped,
  };
  made.push(await files.write(COMPLETENESS, completenessText(context, closing, foundations)));
  made.push(await files.write(DATAPACKAGE, datapackageText(context, closing, made)));
  return {
    figures: { context, closing, kept: contents.kept, balances: inputs.balances, files: made },
    markets: closing.statement.markets.map(({ market }) => market),
    methodNote: methodNoteOf(closing.statement, request),
    declared,
  };
}

interface Pass {
  readonly contents: Contents;
  readonly tables: FillTables;
  readonly open: readonly MadeFile[];
}

/**
 * Brings the accounts to the beginning of the period, and books its fills into everything that is made from
 * them.
 */
async function bookFills(
  request: PackRequest,
  selected: Selected,
  { contents, tables, open }: Pass,
): Promise<Pick<Closing, "statement" | "sums"> & Pick<Books, "taken">> {
  const { period, report } = request;
  const { exceptions, cube, context } = contents;
  for await (const cutOff of cutOffFillsOf(request, period, DATE_BY[request.basis])) {
    await open.find(({ maker }) => maker === exceptions)?.file.write(exceptions.cutOffFills(cutOff));
  }
  const heldTwice = new HeldTwice(request.manifest.fills);
  const note = (booked: readonly Booked[]) => heldTwice.add(booked.map(({ fill }) => fill));
  const books = await Books.at(booksPlanOf(request, selected), period.from, note);
  const before = books.stateAt(period.from);
  for await (const booked of books.until(period.to)) {
    await tables.write(booked.map(({ fill }) => fill));
    note(booked);
    for (const one of booked) {
      cube.add(request.account, one);
    }
    await writeAdded(open, (maker) => maker.add(booked));
    await writeDays(open, cube.endedDays());
    report?.(tables.totals.fills);
  }
  await writeDays(open, cube.lastDays());
  await refuseDoubles(request, selected, heldTwice);
  contents.checkRates();
  const { contractTypes } = request;
  const after = books.stateAt(period.to - 1);
  const statement = statementOf(cube, { ...context, contractTypes, before, after });
  const holdings = statement.markets.map((market) => ({ ...market, account: request.account }));
  return { statement, sums: sumsOf(cube, holdings), taken: books.taken };
}

/** A reading finds a fill that is already held only near its own time (archive/moved.ts). */
async function refuseDoubles(request: PackRequest, { since }: Selected, heldTwice: HeldTwice): Promise<void> {
  const range = { from: since, to: request.period.to };
  const [double] = await heldTwice.doubles(() => unorderedFillsOf(request, range, DATE_BY[request.basis]));
  if (double !== undefined) {
    const { matchId, orderId } = double.fill;
    throw new FillbookError("untrusted", `the archive holds a fill twice: match ${matchId}, order ${orderId}`, {
      hint: "nothing was published; fillbook sync --again keeps the version that the service shows",
    });
  }
}

async function writeDays(open: readonly MadeFile[], days: readonly CubeDay[]): Promise<void> {
  if (days.length > 0) {
    await writeAdded(open, (maker) => maker.addDays?.(days) ?? "");
  }
}

/** Many makers have nothing to say before their end. */
async function writeAdded(open: readonly MadeFile[], textOf: (maker: FileMaker) => string): Promise<void> {
  for (const { maker, file } of open) {
    const text = textOf(maker);
    if (text !== "") {
      await file.write(text);
    }
  }
}

/** A declaration for a time before the continuously covered range does not apply to later positions. */
function declaredSince({ inputs }: PackRequest, { since }: Selected): readonly DeclaredPosition[] {
  return inputs.openings.filter(({ asOf }) => asOf >= since);
}

/** Why a line has no effect on the pack. */
function unusedIn({ period, contractTypes }: PackRequest, { since }: Selected): Use["unusedOf"] {
  return ({ market, asOf, breakFrom = asOf }) => {
    if (asOf < since) {
      return "not_covered";
    }
    if (breakFrom >= period.to) {
      return "after_period";
    }
    return market === null || isLinear(contractTypes.get(market)) ? null : "not_linear";
  };
}

function booksPlanOf(request: PackRequest, selected: Selected): BooksPlan {
  const { method, inputs, contractTypes } = request;
  const { since } = selected;
  const basis = DATE_BY[request.basis];
  const methods = methodsOf(method);
  return {
    source: request,
    basis,
    since,
    accounts: {
      methods,
      designations: inputs.designations ?? new Map(),
      declared: declaredSince(request, selected),
      fromBeginning: !Number.isFinite(since),
      isLinear: (market) => isLinear(contractTypes.get(market)),
      timeOf: basis.timeOf,
    },
  };
}

export function inputFacts(name: string): FileFacts {
  return {
    path: `inputs/${name}`,
    description: "Unchanged copy of a user's file with which this pack was made.",
    mediatype: name.endsWith(".json") ? "application/json" : "text/csv",
  };
}

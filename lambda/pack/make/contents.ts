import { breaksOf } from "../../accounting/breaks.ts";
import { Cube } from "../../accounting/cube/cube.ts";
import { methodsOf } from "../../accounting/method.ts";
import { createConverter, type RateConverter } from "../../accounting/rates/converter.ts";
import { createRates, type Rates } from "../../accounting/rates/rates.ts";
import { recogniseRates } from "../../accounting/rates/recognise.ts";
import { usageError } from "../../core/errors.ts";
import type { Period } from "../../core/period.ts";
import { isWithin } from "../../core/ranges.ts";
import type { Inputs } from "../../inputs/inputs.ts";
import { ImportMaker } from "../exports/import-maker.ts";
import { journalTable } from "../exports/journal.ts";
import { ledgerMaker } from "../exports/ledger.ts";
import { DailyCash } from "../exports/movements.ts";
import { TOOLS } from "../exports/tools.ts";
import { reportMaker } from "../report/report.ts";
import { CASH, CashTally } from "../tables/cash.ts";
import { closesTable } from "../tables/closes.ts";
import { FillSums } from "../tables/control.ts";
import { controlsTable } from "../tables/controls.ts";
import { ExceptionsMaker } from "../tables/exceptions.ts";
import { feesTable } from "../tables/fees.ts";
import { form8949Tables, hasForm8949 } from "../tables/form-8949.ts";
import { lotsTable } from "../tables/lots.ts";
import { transfersTable } from "../tables/match-transfers.ts";
import { positionsTable } from "../tables/positions.ts";
import { daysTable, monthsTable, totalsTable } from "../tables/totals.ts";
import { tradesTable } from "../tables/trades.ts";
import { workbookMaker } from "../workbook/workbook.ts";
import { CsvMaker } from "../writers/csv.ts";
import { isLinear } from "./contracts.ts";
import { fillsCsv, fillsParquet } from "./fill-tables.ts";
import type { FileMaker, PackAccount, PackContext } from "./maker.ts";
import { marksAtEnd } from "./remarks.ts";
import type { PackRequest } from "./request.ts";
import type { Selected } from "./selection.ts";

export type Contents = ReturnType<typeof contentsOf>;

/** The files and sums that are made from the booked fills of a period. */
export function contentsOf(request: PackRequest, selected: readonly Selected[]) {
  const { converter, checkRates, rateNotes } = converterOf(request);
  const context = contextOf(request, selected, converter);
  const { period, accounts } = context;
  const fills = fillsCsv(period);
  const exceptions = new ExceptionsMaker(context);
  const cash = new CashTally(context);
  const sums = new FillSums();
  const { transfers } = cash;
  const daily = new DailyCash(context, transfers);
  const imports = TOOLS.map((tool) => new ImportMaker(tool, context, daily));
  const form = converter !== null && hasForm8949(request) ? form8949Tables(context, converter) : null;
  const totalsOfImports = () => imports.flatMap(({ totals }) => totals);
  const controls = controlsTable(context, { sums, imports: totalsOfImports, form: form?.totals ?? null, transfers });
  /** In the order in which they end. A later one may show what an earlier one has counted. */
  const makers: readonly FileMaker<string | Uint8Array>[] = [
    fills,
    fillsParquet(),
    exceptions,
    ...tableMakers(context),
    ...(accounts.length > 1 ? [new CsvMaker(transfersTable(transfers))] : []),
    ...(form === null ? [] : [new CsvMaker(form.lines), new CsvMaker(form.byBox), new CsvMaker(form.unknown)]),
    ...imports,
    new CsvMaker(journalTable(daily)),
    ledgerMaker("beancount", context, request.settings.beancount, daily),
    ledgerMaker("hledger", context, request.settings.hledger, daily),
    new CsvMaker(controls),
    workbookMaker(context),
    reportMaker(context, { controls, transfers }),
  ];
  const cube = new Cube({ period, accounts, converter });
  return { makers, fills, exceptions, cash, sums, cube, context, checkRates, rateNotes };
}

/** The tables that every pack has of its accounts. */
export function tableMakers(context: PackContext): readonly FileMaker[] {
  return [
    new CsvMaker(closesTable(context)),
    new CsvMaker(totalsTable(context)),
    new CsvMaker(monthsTable(context)),
    new CsvMaker(daysTable(context)),
    new CsvMaker(feesTable(context)),
    new CsvMaker(tradesTable(context)),
    new CsvMaker(positionsTable(context)),
    new CsvMaker(lotsTable(context)),
    new CsvMaker(CASH),
  ];
}

function contextOf(request: PackRequest, selected: readonly Selected[], converter: RateConverter | null): PackContext {
  const { name, period, isMethodChosen, basis } = request;
  return {
    ...{ name, period, isMethodChosen, basis, converter },
    accounts: selected.map((one) => accountOf(one, period)),
    named: request.settings.statement,
    methods: methodsOf(request.method),
    complete: !request.allowIncomplete,
  };
}

function accountOf({ account, inputs, contractTypes, since }: Selected, period: Period): PackAccount {
  const { funding, transfers, balances, marks, openings } = inputs;
  return {
    account,
    funding: funding?.filter(({ time }) => isWithin(period, time)) ?? null,
    transfers,
    balances,
    marks: marks === null ? null : marksAtEnd(marks, period),
    breaks: breaksOf(openings).filter(
      ({ market, from, to }) => from < period.to && to >= since && isLinear(contractTypes.get(market)),
    ),
  };
}

/**
 * `checkRates`: call it after all fills; it throws `usage` with all rates that were missing. `rateNotes`: what is to
 * note of those that were used.
 */
function converterOf({ accounts, location, period, currency, settings }: PackRequest) {
  if (currency === null) {
    return { converter: null, checkRates: () => undefined, rateNotes: () => [] };
  }
  const rates: Rates = createRates(
    ratesOf(accounts).map(({ name, bytes }) => recogniseRates(name, bytes)),
    settings.par,
  );
  const converter = createConverter({ rates, to: currency, zone: period.zone });
  const checkRates = () => {
    if (converter.missing.length > 0) {
      throw rates.missing(converter.missing, location);
    }
  };
  return { converter, checkRates, rateNotes: rates.notes };
}

/** The files of rates. Throws `usage` if those of the accounts differ: a pack converts all of them alike. */
function ratesOf(accounts: PackRequest["accounts"]): Inputs["rates"] {
  const [first, ...others] = accounts.map(({ account, inputs: { rates } }) => ({
    ...{ account, rates },
    all: rates.map(({ name, sha256 }) => `${name} ${sha256}`).join(),
  }));
  const other = others.find(({ all }) => all !== first?.all);
  if (other !== undefined) {
    throw usageError(
      `${first?.account} and ${other.account} have different files of rates, but a pack converts all of its accounts at the same rates`,
      "put all files of rates among the files for all accounts, and none among their own",
    );
  }
  return first?.rates ?? [];
}

import { breaksOf } from "../../accounting/breaks.ts";
import { methodsOf } from "../../accounting/method.ts";
import { ConvertedTally } from "../../accounting/rates/converted.ts";
import { createConverter, type RateConverter } from "../../accounting/rates/converter.ts";
import { createRates, type Rates } from "../../accounting/rates/rates.ts";
import { recogniseRates } from "../../accounting/rates/recognise.ts";
import { Tally } from "../../accounting/tally.ts";
import { isLinear } from "../../archive/contracts.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import type { Period } from "../../core/period.ts";
import { isWithin } from "../../core/ranges.ts";
import type { Mark } from "../../inputs/marks.ts";
import { type BalanceMaker, balanceMaker } from "../files/csv/balance.ts";
import { carryForwardMaker } from "../files/csv/carry-forward.ts";
import { closedTradesMaker } from "../files/csv/closed-trades.ts";
import { controlTotalsMaker } from "../files/csv/control-totals.ts";
import { disposalsMaker } from "../files/csv/disposals.ts";
import { ExceptionsMaker } from "../files/csv/exceptions.ts";
import { feesMaker } from "../files/csv/fees.ts";
import { openLotsMaker } from "../files/csv/open-lots.ts";
import { openPositionsMaker } from "../files/csv/open-positions.ts";
import { realisedPnlMaker } from "../files/csv/realised-pnl.ts";
import { summaryMakers } from "../files/csv/summary.ts";
import { importMakers, importTotals } from "../files/imports/imports.ts";
import { beancountMaker } from "../files/journals/beancount.ts";
import { bookMaker } from "../files/journals/book-maker.ts";
import { bookNotes } from "../files/journals/book-notes.ts";
import { entriesOf } from "../files/journals/entry.ts";
import { hledgerMaker } from "../files/journals/hledger.ts";
import { reportMakers } from "../files/report/report.ts";
import type { ShownFills } from "../files/report/shown-trades.ts";
import { hasForm8949 } from "../files/us/form-8949.ts";
import { form8949Maker } from "../files/us/form-8949-csv.ts";
import { form8949TxfMaker } from "../files/us/form-8949-txf.ts";
import { workbookMaker } from "../files/workbook/workbook.ts";
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "./account-settings.ts";
import { formatAmounts } from "./formatted-amounts.ts";
import type { FileMaker, LateMaker, PackContext } from "./maker.ts";
import type { OpeningDays } from "./opening-days.ts";
import { markTimes } from "./outside-period.ts";
import type { PackRequest } from "./request.ts";

/** The files and sums that are made from the booked fills of a period. */
export interface Contents {
  /** In the order in which they end. A later one may show what an earlier one has counted. */
  readonly makers: readonly FileMaker[];
  /** The files for the user's accounting program. Null: none is set up. */
  readonly books: LateMaker | null;
  readonly exceptions: ExceptionsMaker;
  readonly balance: BalanceMaker;
  readonly tally: Tally;
  /** The single fills that the report shows. */
  readonly kept: ShownFills;
  readonly context: PackContext;
  /** Null: nothing is converted. */
  readonly converted: ConvertedTally | null;
  /** Call it after all fills. Throws `usage` with all rates that were missing. */
  readonly checkRates: () => void;
}

/** `since`: the time at which the accounts begin, ms UTC, or -Infinity. */
export function contentsOf(request: PackRequest, since: number, information: OpeningDays | null): Contents {
  const { period, contractTypes, inputs } = request;
  const settings = settingsOf(request);
  const { converterTo, checkRates } = convertersOf(request, settings);
  const converter = converterTo(request.currency);
  const bookConverter = converterTo(settings.bookCurrency);
  const context = { ...contextOf(request, since, settings), information };
  const { methods, funding, breaks } = context;
  const exceptions = new ExceptionsMaker(context);
  const balance = balanceMaker(context, inputs.balances);
  const realised = realisedPnlMaker(context, converter);
  const entries = entriesOf(context);
  const report = reportMakers(context);
  const imports = importMakers(context, bookNotes(settings));
  return {
    exceptions,
    balance,
    context,
    kept: report.kept,
    checkRates,
    tally: new Tally({ period, methods, funding, breaks, contractTypes }),
    converted: converter === null ? null : new ConvertedTally({ period, funding, converter }),
    books: bookMaker(context, settings, bookConverter),
    makers: [
      exceptions,
      realised,
      ...summaryMakers(context, request.currency),
      feesMaker(request.currency),
      closedTradesMaker(context, converter),
      openPositionsMaker(context, converter),
      openLotsMaker(context),
      balance.file,
      disposalsMaker(context, converter),
      ...(information === null ? [] : [carryForwardMaker(context, converter)]),
      ...(converter !== null && hasForm8949(request)
        ? [form8949Maker(context, converter), form8949TxfMaker(context, converter)]
        : []),
      ...imports,
      beancountMaker(context, settings, entries),
      hledgerMaker(context, settings, entries),
      controlTotalsMaker({
        realised,
        imports: () => importTotals(imports),
        transfers: context.transfers,
        declared: inputs.openings,
      }),
      workbookMaker(context, converter),
      report.page,
      report.sheet,
    ],
  };
}

function contextOf(
  request: PackRequest,
  since: number,
  { statement }: AccountSettings,
): Omit<PackContext, "information"> {
  const { account, period, isMethodChosen, basis, inputs, contractTypes, allowIncomplete } = request;
  const methods = methodsOf(request.method);
  return {
    account,
    accounts: [account],
    period,
    named: statement,
    methods,
    isMethodChosen,
    textsOf: formatAmounts(),
    basis,
    complete: !allowIncomplete,
    funding: inputs.funding?.filter(({ time }) => isWithin(period, time)) ?? null,
    withoutFunding: [],
    transfers: inputs.transfers?.filter(({ time }) => isWithin(period, time)) ?? null,
    marks: inputs.marks === null ? null : marksAtEnd(inputs.marks, period),
    breaks: breaksOf(inputs.openings).filter(
      ({ market, from, to }) => from < period.to && to >= since && isLinear(contractTypes.get(market)),
    ),
  };
}

/** A later price of a market replaces an earlier one. */
function marksAtEnd(marks: readonly Mark[], period: Period): ReadonlyMap<string, Mark> {
  const { from, to } = markTimes(period);
  return new Map(marks.filter(({ time }) => from <= time && time <= to).map((mark) => [mark.market, mark]));
}

function settingsOf({ inputs: { accounts } }: PackRequest): AccountSettings {
  return accounts === null ? DEFAULT_ACCOUNT_SETTINGS : parseAccountSettings(accounts, "accounts.json");
}

/** `converterTo`: null if nothing is converted. The rate files are read once, and only if something is. */
function convertersOf({ inputs, period }: PackRequest, { par }: AccountSettings) {
  let rates: Rates | null = null;
  /** By the currency into which they convert. */
  const made = new Map<string, RateConverter>();
  return {
    converterTo: (to: string | null): RateConverter | null => {
      if (to === null) {
        return null;
      }
      rates ??= createRates(
        inputs.rates.map(({ name, bytes }) => recogniseRates(name, bytes)),
        par,
      );
      const plan = { rates, to, zone: period.zone };
      return getOrMake(made, to, () => createConverter(plan));
    },
    checkRates: () => {
      const missing = [...made.values()].flatMap((converter) => converter.missing);
      if (rates !== null && missing.length > 0) {
        throw rates.missing(missing, inputs.location);
      }
    },
  };
}

import { breaksOf } from "../../accounting/breaks.ts";
import { Cube } from "../../accounting/cube/cube.ts";
import { methodsOf } from "../../accounting/method.ts";
import { createConverter } from "../../accounting/rates/converter.ts";
import { createRates } from "../../accounting/rates/rates.ts";
import { recogniseRates } from "../../accounting/rates/recognise.ts";
import type { Period } from "../../core/period.ts";
import { isWithin } from "../../core/ranges.ts";
import type { Mark } from "../../inputs/marks.ts";
import { type BalanceMaker, balanceMaker } from "../files/csv/balance.ts";
import { closedTradesMaker } from "../files/csv/closed-trades.ts";
import { controlTotalsMaker } from "../files/csv/control-totals.ts";
import { disposalsMaker } from "../files/csv/disposals.ts";
import { ExceptionsMaker } from "../files/csv/exceptions.ts";
import { openLotsMaker } from "../files/csv/open-lots.ts";
import { openPositionsMaker } from "../files/csv/open-positions.ts";
import { realisedPnlMaker } from "../files/csv/realised-pnl.ts";
import { summaryMakers } from "../files/csv/summary.ts";
import { importMakers } from "../files/imports/imports.ts";
import { DailyCash } from "../files/imports/movements.ts";
import { beancountMaker } from "../files/journals/beancount.ts";
import { hledgerMaker } from "../files/journals/hledger.ts";
import { reportMaker } from "../files/report/report.ts";
import type { ShownFills } from "../files/report/shown-trades.ts";
import { hasForm8949 } from "../files/us/form-8949.ts";
import { form8949Maker } from "../files/us/form-8949-csv.ts";
import { workbookMaker } from "../files/workbook/workbook.ts";
import { feesTable } from "../tables/fees.ts";
import { csvOf } from "../writers/csv.ts";
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "./account-settings.ts";
import { isLinear } from "./contracts.ts";
import { formatAmounts } from "./formatted-amounts.ts";
import type { FileMaker, PackContext } from "./maker.ts";
import { markTimes } from "./outside-period.ts";
import type { PackRequest } from "./request.ts";

/** The files and sums that are made from the booked fills of a period. */
export interface Contents {
  /** In the order in which they end. A later one may show what an earlier one has counted. */
  readonly makers: readonly FileMaker[];
  readonly exceptions: ExceptionsMaker;
  readonly balance: BalanceMaker;
  readonly cube: Cube;
  /** The single fills that the report shows. */
  readonly kept: ShownFills;
  readonly context: PackContext;
  /** Call it after all fills. Throws `usage` with all rates that were missing. */
  readonly checkRates: () => void;
}

/** `since`: the time at which the accounts begin, ms UTC, or -Infinity. */
export function contentsOf(request: PackRequest, since: number): Contents {
  const { account, period, inputs } = request;
  const settings = settingsOf(request);
  const { converter, checkRates } = converterOf(request, settings);
  const context = contextOf(request, since, settings);
  const { funding, breaks } = context;
  const exceptions = new ExceptionsMaker(context);
  const balance = balanceMaker(context, inputs.balances);
  const realised = realisedPnlMaker(context, converter);
  const cash = new DailyCash(context);
  const report = reportMaker(context);
  const imports = importMakers(context, cash);
  return {
    exceptions,
    balance,
    context,
    kept: report.kept,
    checkRates,
    cube: new Cube({ period, accounts: [{ account, funding, breaks }], converter }),
    makers: [
      exceptions,
      realised,
      ...summaryMakers(context, request.currency),
      csvOf(feesTable(context, request.currency)),
      closedTradesMaker(context, converter),
      openPositionsMaker(context, converter),
      openLotsMaker(context),
      balance.file,
      disposalsMaker(context, converter),
      ...(converter !== null && hasForm8949(request) ? [form8949Maker(context, converter)] : []),
      ...imports,
      beancountMaker(context, settings, cash),
      hledgerMaker(context, settings, cash),
      controlTotalsMaker({
        realised,
        imports: () => imports.flatMap(({ totals }) => totals),
        transfers: context.transfers,
        declared: inputs.openings,
      }),
      workbookMaker(context, converter),
      report.page,
    ],
  };
}

function contextOf(request: PackRequest, since: number, { statement }: AccountSettings): PackContext {
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

/** Null: nothing is converted. */
function converterOf({ inputs, period, currency }: PackRequest, { par }: AccountSettings) {
  if (currency === null) {
    return { converter: null, checkRates: () => undefined };
  }
  const files = inputs.rates.map(({ name, bytes }) => recogniseRates(name, bytes));
  const rates = createRates(files, par);
  const converter = createConverter({ rates, to: currency, zone: period.zone });
  return {
    converter,
    checkRates: () => {
      if (converter.missing.length > 0) {
        throw rates.missing(converter.missing, inputs.location);
      }
    },
  };
}

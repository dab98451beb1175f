import { add, countOf, feesOf, less, sumOf } from "../../accounting/aggregate.ts";
import { type Amount, totalOf, ZERO } from "../../core/amount.ts";
import { isWithin } from "../../core/ranges.ts";
import type { Agreement } from "../build/compared-cash.ts";
import type { PackFigures } from "../build/figures.ts";
import type { FileMaker } from "../build/maker.ts";
import { agreementOf } from "../files/csv/balance.ts";
import { amount, integer, REQUIRED, text } from "../files/csv/columns.ts";
import { CsvMaker } from "../files/csv/csv-maker.ts";
import type { MatchedTransfer } from "./match-transfers.ts";

/** The movements of cash in one currency over the whole period, of one account or of all. */
export interface Cash {
  /** Null: all accounts. */
  readonly account: string | null;
  readonly currency: string;
  readonly gross: Amount;
  /** The fees of all fills, minus rebates. */
  readonly fees: Amount;
  /** Null: no funding.csv was given. */
  readonly funding: Amount | null;
  /** Deposits minus withdrawals from and to other accounts of the group. Null: no transfers.csv was given. */
  readonly between: Amount | null;
  readonly outside: Amount | null;
  /** From the user's statements at the ends of the period. Null: there is none. */
  readonly opening: Amount | null;
  readonly closing: Amount | null;
  /** Fills whose PnL or fee is not known. */
  readonly unknown: number;
  /** Whether the statements agree with the movement. All accounts together agree if each does. */
  readonly result: Agreement;
}

type Figures = Omit<Cash, "result">;

/** By currency, then account; all accounts together come last. `transfers`: within the period. */
export function cashOf(members: readonly PackFigures[], transfers: readonly MatchedTransfer[]): Cash[] {
  const currencies = new Set([
    ...members.flatMap(({ closing }) => closing.statement.marketMonths.map(({ currency }) => currency)),
    ...members.flatMap(({ context, balances }) =>
      balances.filter(({ time }) => isStated(context.period, time)).map(({ currency }) => currency),
    ),
    ...transfers.map(({ currency }) => currency),
  ]);
  return [...currencies].sort().flatMap((currency) => {
    const own = members.map((member) => ofAccount(member, currency, transfers));
    return [...own, ofAll(currency, own)];
  });
}

function isStated(period: { readonly from: number; readonly to: number }, time: number): boolean {
  return isWithin(period, time) || time === period.to;
}

function ofAccount(
  { context, closing, balances }: PackFigures,
  currency: string,
  transfers: readonly MatchedTransfer[],
): Cash {
  const { account, period, funding } = context;
  const sum = sumOf(closing.statement.marketMonths.filter((one) => one.currency === currency));
  const moved = transfers.filter((one) => one.account === account && one.currency === currency);
  const total = (isBetween: boolean) =>
    context.transfers === null
      ? null
      : totalOf(
          moved.filter(({ other }) => (other !== null) === isBetween),
          (one) => one.amount,
        );
  const statedAt = (time: number) =>
    balances.find((balance) => balance.currency === currency && balance.time === time)?.amount ?? null;
  const figures: Figures = {
    account,
    currency,
    gross: sum.gross,
    fees: feesOf(sum),
    funding: funding === null ? null : (sum.funding ?? ZERO),
    between: total(true),
    outside: total(false),
    opening: statedAt(period.from),
    closing: statedAt(period.to),
    unknown: sum.blankCloses + sum.untyped,
  };
  const result = agreementOf(currency, differenceOf(figures), [figures.opening, figures.closing]);
  return { ...figures, result };
}

/** There is a statement of all accounts if each account with activity in the currency has one. */
function ofAll(currency: string, own: readonly Cash[]): Cash {
  const some = own.filter(hasAny);
  const stated = (of: (cash: Cash) => Amount | null) =>
    some.length === 0 || some.some((cash) => of(cash) === null) ? null : totalOf(some, (cash) => of(cash) ?? ZERO);
  const given = (of: (cash: Cash) => Amount | null) =>
    own.every((cash) => of(cash) === null) ? null : totalOf(own, (cash) => of(cash) ?? ZERO);
  return {
    account: null,
    currency,
    gross: totalOf(own, ({ gross }) => gross),
    fees: totalOf(own, ({ fees }) => fees),
    funding: given(({ funding }) => funding),
    between: given(({ between }) => between),
    outside: given(({ outside }) => outside),
    opening: stated(({ opening }) => opening),
    closing: stated(({ closing }) => closing),
    unknown: countOf(own, ({ unknown }) => unknown),
    result: WORST_FIRST.find((result) => some.some((cash) => cash.result === result)) ?? "no statement",
  };
}

const WORST_FIRST: readonly Agreement[] = ["differs", "no statement", "agrees"];

function hasAny({ gross, fees, funding, between, outside, opening, closing, unknown }: Cash): boolean {
  return (
    unknown > 0 ||
    opening !== null ||
    closing !== null ||
    [gross, fees, funding, between, outside].some((one) => one !== null && !one.isZero())
  );
}

export function movementOf({ gross, fees, funding, between, outside }: Figures): Amount {
  return totalOf([gross, fees.neg(), funding, between, outside], (moved) => moved ?? ZERO);
}

function calculatedOf(cash: Figures): Amount | null {
  return add(cash.opening, movementOf(cash));
}

/** Null: a statement is missing. */
export function differenceOf(cash: Figures): Amount | null {
  return less(cash.closing, calculatedOf(cash));
}

/** balance.csv of a group: the proof of cash of each account, and of all together. */
export function cashMaker(cash: readonly Cash[]): FileMaker {
  return new CsvMaker<Cash>({
    path: "balance.csv",
    description:
      "Proof of cash for the whole period: opening cash + PnL − fees + funding ± transfers = closing cash, by currency, for each account and for all accounts together. Transfers between accounts of the group have their own column. Over all accounts they add up to 0, except for cash in transit at the start or end of the period. Each account's own balance.csv has the movements between its statements.",
    columns: [
      text(
        "currency",
        "Currency of every amount in the row. Empty: fills whose market is not known.",
        (row) => row.currency,
      ),
      text("account", "Name of the account. Empty: all accounts together.", (row) => row.account),
      amount(
        "opening_cash",
        "Cash balance at the start of the period, according to balances.csv. Empty if a statement is missing. For all accounts together: of the accounts with movements or a statement in this currency.",
        (row) => row.opening,
      ),
      amount("gross_pnl", "Realised PnL before fees, by the chosen method.", (row) => row.gross, REQUIRED),
      amount("net_fees", "Fees less rebates, as in fees.csv.", (row) => row.fees, REQUIRED),
      amount("funding", "From funding.csv. Empty if none was given.", (row) => row.funding),
      amount("transfers_between_accounts", "Deposits less withdrawals within the group.", (row) => row.between),
      amount("transfers_outside", "Deposits less withdrawals from and to outside the group.", (row) => row.outside),
      amount("movement", "gross_pnl − net_fees + funding + both transfers.", movementOf, REQUIRED),
      amount("calculated_closing_cash", "opening_cash + movement.", calculatedOf),
      amount(
        "stated_closing_cash",
        "Cash balance at the end of the period, according to balances.csv.",
        (row) => row.closing,
      ),
      amount("difference", "stated_closing_cash − calculated_closing_cash.", differenceOf),
      integer(
        "fills_not_known",
        "Number of fills whose PnL or fee is not known. Their effect is part of the difference.",
        (row) => row.unknown,
        REQUIRED,
      ),
      text(
        "result",
        "agrees, differs, or no statement, for the whole period, by the same rule as in each account's balance.csv. All accounts together agree if each account agrees.",
        ({ result }) => result,
        REQUIRED,
      ),
    ],
    rowsAtEnd: () => cash,
  });
}

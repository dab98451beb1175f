import { tenTo, totalOf, wholeNumber } from "../../core/amount.ts";
import { nextDay } from "../../core/period-days.ts";
import type { AccountSettings } from "../make/account-settings.ts";
import type { FileMaker, PackContext } from "../make/maker.ts";
import { type LedgerSyntax, ledgerMaker } from "./ledger.ts";
import type { DailyCash } from "./movements.ts";
import { type Balance, padPlaces } from "./postings.ts";
import { visible } from "./visible.ts";

/** journal.beancount, for beancount 2 and 3. */
export function beancountMaker(context: PackContext, { beancount }: AccountSettings, cash: DailyCash): FileMaker {
  return ledgerMaker(SYNTAX, context, beancount, cash);
}

/**
 * beancount uses Python decimals: a sum, or a number with a minus sign, is rounded to this many significant
 * digits.
 */
const DIGITS = 28;

const SYNTAX: LedgerSyntax = {
  path: "journal.beancount",
  program: "beancount",
  digits: DIGITS,
  indent: "  ",
  symbolOf: (commodity) => commodity,
  accountPart: (account) => account.replace(/^-/, "A-").replace(/^[a-z]/, (first) => first.toUpperCase()),
  commodityPart: (commodity) => commodity,
  begin: ({ title, notes, standalone }) =>
    [title, ...notes].map((line) => `; ${line}\n`).join("") + (standalone ? `option "title" "${title}"\n` : ""),
  renamed: (day, commodity, currency) => `${day} commodity ${commodity}\n  name: "${currency}"\n`,
  opened: (day, { name }, commodity) => `${day} open ${name}${commodity === null ? "" : `   ${commodity}`}\n`,
  entry({ day, market, text, id, note }) {
    const head = `${day} * ${market === "" ? "" : `"${market}" `}"${text}"\n  id: "${id}"\n`;
    return note === "" ? head : `${head}  note: "${visible(note).replaceAll(/["\\]/g, "\\$&")}"\n`;
  },
  closed(lastDay, _, balances) {
    const lines = balances.map((own) => {
      const balance = withSubaccounts(own, balances);
      const amount = padPlaces(String(balance.amount), balance.places);
      return `${nextDay(lastDay)} balance ${own.account}   ${amount} ~ ${toleranceOf(balance)} ${own.commodity}\n`;
    });
    return lines.length === 0 ? "" : `\n${lines.join("")}`;
  },
};

/** beancount asserts the balance of an account together with all accounts below it. */
function withSubaccounts(own: Readonly<Balance>, balances: readonly Readonly<Balance>[]): Readonly<Balance> {
  const under = balances.filter(
    ({ account, commodity }) => commodity === own.commodity && `${account}:`.startsWith(`${own.account}:`),
  );
  return {
    ...own,
    amount: totalOf(under, ({ amount }) => amount),
    places: Math.max(...under.map(({ places }) => places)),
    largest: totalOf(under, ({ largest }) => largest),
    postings: under.reduce((sum, { postings }) => sum + postings, 0),
  };
}

/**
 * How far beancount's own sum may be off: zero, as long as the sum has no more digits than it calculates
 * with.
 */
function toleranceOf({ largest, places, postings }: Readonly<Balance>): string {
  const units = String(largest).split(".")[0]?.length ?? 0;
  const exactPlaces = DIGITS - units;
  return places <= exactPlaces ? "0" : String(wholeNumber(postings + 2).times(tenTo(-exactPlaces)));
}

import { METHOD_STATEMENTS } from "../../accounting/method.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { fillIn, type LedgerSettings } from "../make/account-settings.ts";
import { isGiven } from "../make/given.ts";
import type { FileMaker, PackContext } from "../make/maker.ts";
import { OTHER_CASH } from "../tables/cash-text.ts";
import { type DailyCash, isReceived, KINDS, type Movement } from "./movements.ts";
import { commodityOf, visible } from "./names.ts";

/** The syntax of a plain-text accounting program. */
interface Syntax {
  readonly path: string;
  /** What is posted. */
  readonly posted: (amount: Amount, commodity: string) => string;
  /** The pack's account, whose letters are small, and a commodity, as parts of an account's name. */
  readonly accountPart: (account: string) => string;
  readonly commodityPart: (commodity: string) => string;
  /** The first lines. `title`: of a file that stands alone; null: of a part of the user's ledger. */
  readonly begin: (title: string | null) => string;
  /** Introduces a commodity, and explains it if its name differs from its currency. */
  readonly named: (day: string, commodity: string, currency: string) => string;
  /** `commodity`: the only one that the account ever holds. Null: it may hold several. */
  readonly opened: (day: string, role: Role, name: string, commodity: string | null) => string;
  /** The lines above its postings. */
  readonly entry: (movement: Movement) => string;
}

type Role = "cash" | "realised" | "fees" | "funding" | "transfers";
const ROLES: readonly Role[] = ["cash", "realised", "fees", "funding", "transfers"];

/**
 * Account types are declared, because hledger takes some names of income accounts for gains on lots. The user
 * decides what transfers come from.
 */
const TYPES: Readonly<Record<Role, string>> = {
  cash: "  ; type: A",
  realised: "  ; type: R",
  fees: "  ; type: X",
  funding: "  ; type: R",
  transfers: "",
};

/** By program. beancount: versions 2 and 3. */
const SYNTAXES: Readonly<Record<"beancount" | "hledger", Syntax>> = {
  beancount: {
    path: "journal.beancount",
    posted: (amount, commodity) => `${beancountAmount(amount)} ${commodity}`,
    accountPart: (account) => account.replace(/^-/, "AA-").replace(/^[a-z]/, (first) => first.toUpperCase()),
    commodityPart: (commodity) => commodity,
    begin: (title) => (title === null ? "" : `option "title" "${title}"\n`),
    named: (day, commodity, currency) =>
      commodity === currency ? "" : `${day} commodity ${commodity}\n  name: "${currency}"\n`,
    opened: (day, _, name, commodity) => `${day} open ${name}${commodity === null ? "" : `   ${commodity}`}\n`,
    entry({ day, market, text, id, note }) {
      const head = `${day} * ${market === "" ? "" : `"${market}" `}"${text}"\n  id: "${id}"\n`;
      return note === "" ? head : `${head}  note: "${visible(note).replaceAll(/["\\]/g, "\\$&")}"\n`;
    },
  },
  hledger: {
    path: "journal.hledger",
    posted: (amount, commodity) => `${amount} ${hledgerSymbol(commodity)}`,
    accountPart: (account) => account.replace(/^-/, "A-"),
    commodityPart: (commodity) => commodity.toLowerCase(),
    begin: () => "decimal-mark .\n",
    named: (_, commodity, currency) =>
      `commodity ${hledgerSymbol(commodity)}${commodity === currency ? "" : `  ; ${currency}`}\n`,
    opened: (_, role, name) => `account ${name}${TYPES[role]}\n`,
    entry({ day, market, text, id, note }) {
      // Characters that would end a tag or the line, or begin a comment or a date.
      const remark = note === "" ? "" : `, note: ${visible(note, /[;|,()[\]]/g)}`;
      return `${day} * ${market === "" ? "" : `${market} | `}${text}\n    ; id: ${id}${remark}\n`;
    },
  },
};

/** Beancount calculates with so many digits. */
const DIGITS = 28;

/** Beancount rounds what it calculates, and a minus is a calculation: then the other side is one, too. */
function beancountAmount(amount: Amount): string {
  const text = amount.abs().toString();
  const isLong = text.replace(/^0?\.?0*/, "").replace(".", "").length > DIGITS;
  return isLong ? `0 ${amount.lt(ZERO) ? "-" : "+"} ${text}` : amount.toString();
}

/** A name with digits or hyphens must be quoted. */
function hledgerSymbol(commodity: string): string {
  return /^[A-Z]+$/.test(commodity) ? commodity : `"${commodity}"`;
}

/** A journal by day, as changes of the margin balance. Its size grows with days, not fills. */
export function ledgerMaker(
  program: keyof typeof SYNTAXES,
  context: PackContext,
  settings: LedgerSettings,
  cash: DailyCash,
): FileMaker {
  const { name: pack, accounts, period } = context;
  const { standalone } = settings;
  const syntax = SYNTAXES[program];
  const [hasFunding, hasTransfers] = [isGiven(context, "funding"), isGiven(context, "transfers")];
  const title = `fillbook ${pack} ${period.name}${hasFunding ? "" : ", excl. funding"}`;
  const isUsed = (role: Role) => (role !== "funding" || hasFunding) && (role !== "transfers" || hasTransfers);
  const roles = ROLES.filter(isUsed);
  const nameOf = (role: Role, account: string, commodity: string) =>
    fillIn(settings[role], syntax.accountPart(account), syntax.commodityPart(commodity));
  /** What was introduced: accounts by name, currencies by the account that has them. */
  const known = new Set<string>();
  const once = (name: string, text: string): string => {
    const isKnown = !standalone || known.has(name);
    known.add(name);
    return isKnown ? "" : text;
  };
  const open = (role: Role, account: string, commodity: string | null): string => {
    const name = nameOf(role, account, commodity ?? "");
    return once(`account ${name}`, syntax.opened(period.firstDay, role, name, commodity));
  };
  /** The lines before the first entry in a currency. */
  const introduced = ({ account, symbol }: Movement, commodity: string): string => {
    const named = once(`commodity ${commodity}`, syntax.named(period.firstDay, commodity, symbol));
    const perCurrency = roles.filter((role) => isPerCurrency(settings[role]));
    const text = named + perCurrency.map((role) => open(role, account, commodity)).join("");
    return text === "" ? "" : `\n${text}`;
  };
  const write = (movement: Movement): string => {
    const { account, currency, kind } = movement;
    const commodity = commodityOf(currency);
    const names = (["cash", KINDS[kind].role] as const).map((role) => nameOf(role, account, commodity));
    const width = Math.max(...names.map((name) => name.length));
    const amount = isReceived(kind) ? movement.amount : movement.amount.neg();
    const postings = [amount, amount.neg()].map(
      (one, at) => `    ${names[at]?.padEnd(width)}    ${syntax.posted(one, commodity)}\n`,
    );
    return `${introduced(movement, commodity)}\n${syntax.entry(movement)}${postings.join("")}`;
  };
  return {
    path: syntax.path,
    description: `Journal for ${program}, by day and market: gross realised PnL, fees less rebates${hasFunding ? ", and the user's funding" : ", excl. funding"}${hasTransfers ? ", deposits and withdrawals" : ""}. Each entry balances exactly.`,
    mediatype: "text/plain",
    begin() {
      const shared = roles.filter((role) => !isPerCurrency(settings[role]));
      const opening = accounts.flatMap(({ account }) => shared.map((role) => open(role, account, null)));
      const notes = [title, ...notesOf(context)].map((line) => `; ${line}\n`);
      return [...notes, syntax.begin(standalone ? title : null), ...opening].join("");
    },
    add: () => "",
    addDays: (days) => cash.of(days).map(write).join(""),
    end() {
      const { notes } = cash;
      return cash.rest().map(write).join("") + (notes === "" ? "" : `\n; ${notes}\n`);
    },
  };
}

function isPerCurrency(name: string): boolean {
  return name.includes("{currency}");
}

function notesOf({ period, methods, complete }: PackContext): string[] {
  return [
    ...(complete ? [] : ["INCOMPLETE: the period was not read in full."]),
    `${period.firstDay} to ${period.lastDay}, days of ${period.zone}.`,
    "Contracts are booked as cash movements by day: the PnL before fees of the fills that close a position, and the full fees of all fills.",
    METHOD_STATEMENTS[methods.primary],
    ...(methods.primary === "average" ? [] : [OTHER_CASH]),
  ];
}

import { type Amount, formatAmount } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import { METHOD_STATEMENTS } from "../../../accounting/method.ts";
import { fillIn } from "../../build/account-forms.ts";
import type { LedgerSettings } from "../../build/account-settings.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { takenUntil } from "../../build/taken-until.ts";
import { commodityOf } from "./commodity.ts";
import { dayIn } from "./day.ts";
import { type EntriesOf, type Entry, type Movement, userEntries } from "./entry.ts";
import { type Balance, Balances, negative, type Posting, type PostingStyle, pieces, placesOf } from "./postings.ts";

/** An entry ready to be written. */
export interface Journalled {
  readonly entry: Entry;
  /** Local, `2025-03-01`. */
  readonly day: string;
}

export interface Heading {
  readonly title: string;
  /** For people. */
  readonly notes: readonly string[];
  readonly standalone: boolean;
  /** The currency of the user's books. Null: not set. */
  readonly bookCurrency: string | null;
}

/** A port: the syntax of a plain-text accounting program. One file for each program. */
export interface LedgerSyntax extends PostingStyle {
  readonly path: string;
  readonly program: string;
  /** The significant digits that it calculates with. A longer amount is written as several. */
  readonly digits: number;
  /** The pack's account and a commodity, as parts of an account's name. */
  readonly accountPart: (account: string) => string;
  readonly commodityPart: (commodity: string) => string;
  readonly begin: (heading: Heading) => string;
  /** Explains a commodity whose name differs from its currency. */
  readonly renamed: (day: string, commodity: string, currency: string) => string;
  /** `commodity`: the only one that the account ever holds. Null: it may hold several. */
  readonly opened: (day: string, account: Account, commodity: string | null) => string;
  /** The lines above its postings. */
  readonly entry: (journalled: Journalled) => string;
  /** Asserts balances at the end of `lastDay`. */
  readonly closed: (lastDay: string, title: string, balances: readonly Readonly<Balance>[]) => string;
}

export type Role = "cash" | Movement["role"];

export interface Account {
  readonly role: Role;
  readonly name: string;
}

/**
 * A journal of gross results and fees by fill, and of the user's funding payments and transfers, as changes
 * of the margin balance. Its size grows with currencies, not with fills.
 */
export function ledgerMaker(
  syntax: LedgerSyntax,
  context: PackContext,
  settings: LedgerSettings,
  bookCurrency: string | null,
  entriesIn: EntriesOf,
): FileMaker {
  const { account, period, funding, transfers } = context;
  const { standalone } = settings;
  const title = `fillbook ${account} ${period.name}${funding === null ? ", excl. funding" : ""}`;
  const isUsed = (role: Role) =>
    (role !== "funding" || funding !== null) && (role !== "transfers" || transfers !== null);
  const roles = ROLES.filter(isUsed);
  const dayOf = dayIn(period);
  const balances = new Balances(syntax);
  /** By currency. */
  const books = new Map<string, Legs>();
  const opened = new Set<string>();
  let entries = 0;
  let unknown = 0;

  const open = (role: Role, name: string, commodity: string | null): string => {
    if (!standalone || opened.has(name)) {
      return "";
    }
    opened.add(name);
    return syntax.opened(period.firstDay, { role, name }, commodity);
  };
  /** The lines before the first entry in a currency. */
  const introduce = (currency: string, { commodity, accounts }: Book): string => {
    const name = standalone && commodity !== currency ? syntax.renamed(period.firstDay, commodity, currency) : "";
    const own = roles.filter((role) => isPerCurrency(settings[role]));
    const text = name + own.map((role) => open(role, accounts[role], commodity)).join("");
    return entries === 0 || text === "" ? text : `\n${text}`;
  };
  const write = (entry: Entry): string => {
    const { time, currency, movements } = entry;
    let introduction = "";
    let postings: readonly Posting[] = [];
    if (movements.length > 0) {
      let legs = books.get(currency);
      if (legs === undefined) {
        const book = bookOf(settings, syntax, account, currency);
        introduction = introduce(currency, book);
        legs = legsOf(book, balances);
        books.set(currency, legs);
      }
      postings = postingsOf(movements, legs, syntax.digits);
    }
    balances.add(postings);
    entries += 1;
    unknown += entry.unknown === null ? 0 : 1;
    return `${introduction}\n${syntax.entry({ entry, day: dayOf(time) })}${balances.linesOf(postings)}`;
  };
  const ownUntil = takenUntil(userEntries(context));
  const ownBefore = (time: number): string => ownUntil(time).map(write).join("");

  return {
    path: syntax.path,
    description: `Journal for ${syntax.program}: gross realised PnL of each closing fill, the fee of each fill${funding === null ? ", excl. funding" : ", and the user's funding"}${transfers === null ? "" : ", deposits and withdrawals"}. Each entry balances exactly${standalone ? ", and the last lines assert the totals" : ""}.`,
    mediatype: "text/plain",
    begin() {
      const shared = roles.filter((role) => !isPerCurrency(settings[role]));
      const { accounts } = bookOf(settings, syntax, account, "");
      const head = syntax.begin({ title, notes: notesOf(context), standalone, bookCurrency });
      return head + shared.map((role) => open(role, accounts[role], null)).join("");
    },
    add(batch: readonly Booked[]) {
      let text = "";
      for (const [at, entry] of entriesIn(batch).entries()) {
        text += ownBefore(batch[at]?.time ?? 0) + (entry === null ? "" : write(entry));
      }
      return text;
    },
    end() {
      const rest = ownBefore(Number.POSITIVE_INFINITY);
      const note =
        unknown === 0
          ? ""
          : `\n; Entries with the flag !, whose PnL is not known and excluded from all sums: ${unknown}\n`;
      return rest + note + (standalone ? syntax.closed(period.lastDay, title, balances.all) : "");
    },
  };
}

const ROLES: readonly Role[] = ["cash", "realised", "fees", "funding", "transfers"];

/** The accounts of a currency. */
interface Book {
  readonly commodity: string;
  readonly accounts: Readonly<Record<Role, string>>;
}

function bookOf(settings: LedgerSettings, syntax: LedgerSyntax, account: string, currency: string): Book {
  const commodity = commodityOf(currency);
  const nameOf = (role: Role) => fillIn(settings[role], syntax.accountPart(account), syntax.commodityPart(commodity));
  return {
    commodity,
    accounts: {
      cash: nameOf("cash"),
      realised: nameOf("realised"),
      fees: nameOf("fees"),
      funding: nameOf("funding"),
      transfers: nameOf("transfers"),
    },
  };
}

/** The balance for each role of a book. */
type Legs = Readonly<Record<Role, Balance>>;

function legsOf({ commodity, accounts }: Book, balances: Balances): Legs {
  const legOf = (role: Role) => balances.of(accounts[role], commodity);
  return {
    cash: legOf("cash"),
    realised: legOf("realised"),
    fees: legOf("fees"),
    funding: legOf("funding"),
    transfers: legOf("transfers"),
  };
}

function postingsOf(movements: readonly Movement[], legs: Legs, digits: number): Posting[] {
  const postings: Posting[] = [];
  const add = (role: Role, amount: Amount, text: string) => {
    const places = placesOf(text);
    postings.push({ balance: legs.cash, amount, text, places });
    postings.push({ balance: legs[role], amount: -amount, text: negative(text), places });
  };
  for (const { role, amount, text } of movements) {
    // A text has at most as many digits as characters.
    if (text.length <= digits) {
      add(role, amount, text);
    } else {
      for (const piece of pieces(amount, digits)) {
        add(role, piece, formatAmount(piece));
      }
    }
  }
  return postings;
}

function isPerCurrency(name: string): boolean {
  return name.includes("{currency}");
}

function notesOf({ period, methods, complete }: PackContext): string[] {
  return [
    ...(complete ? [] : ["INCOMPLETE: the period was not read in full."]),
    `${period.firstDay} to ${period.lastDay}, days of ${period.zone}.`,
    "Contracts are booked as cash movements: the PnL before fees when a fill closes a position, and the full fee of each fill.",
    METHOD_STATEMENTS[methods.primary],
  ];
}

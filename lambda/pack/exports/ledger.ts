import { blankCloses } from "../../accounting/cube/cell.ts";
import { METHOD_STATEMENTS } from "../../accounting/method.ts";
import type { LedgerSettings } from "../make/account-settings.ts";
import { fillIn } from "../make/account-settings.ts";
import { isGiven } from "../make/given.ts";
import type { FileMaker, PackContext } from "../make/maker.ts";
import { commodityOf } from "./commodity.ts";
import { type DailyCash, isReceived, KINDS, type Movement } from "./movements.ts";
import { type Balance, Balances, type PostingStyle, pieces } from "./postings.ts";

export interface Heading {
  readonly title: string;
  /** For people. */
  readonly notes: readonly string[];
  readonly standalone: boolean;
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
  readonly entry: (movement: Movement) => string;
  /** Asserts balances at the end of `lastDay`. */
  readonly closed: (lastDay: string, title: string, balances: readonly Readonly<Balance>[]) => string;
}

export type Role = "cash" | "realised" | "fees" | "funding" | "transfers";

export interface Account {
  readonly role: Role;
  readonly name: string;
}

/** A journal by day, as changes of the margin balance. Its size grows with days, not fills. */
export function ledgerMaker(
  syntax: LedgerSyntax,
  context: PackContext,
  settings: LedgerSettings,
  cash: DailyCash,
): FileMaker {
  const { name: pack, accounts, period } = context;
  const { standalone } = settings;
  const [hasFunding, hasTransfers] = [isGiven(context, "funding"), isGiven(context, "transfers")];
  const title = `fillbook ${pack} ${period.name}${hasFunding ? "" : ", excl. funding"}`;
  const isUsed = (role: Role) => (role !== "funding" || hasFunding) && (role !== "transfers" || hasTransfers);
  const roles = ROLES.filter(isUsed);
  const balances = new Balances(syntax);
  /** By account and currency. */
  const books = new Map<string, Legs>();
  const nameOf = (role: Role, account: string, commodity: string) =>
    fillIn(settings[role], syntax.accountPart(account), syntax.commodityPart(commodity));
  const legsOf = (account: string, commodity: string) =>
    Object.fromEntries(ROLES.map((role) => [role, balances.of(nameOf(role, account, commodity), commodity)])) as Legs;
  const named = new Set<string>();
  const opened = new Set<string>();

  const open = (role: Role, name: string, commodity: string | null): string => {
    if (!standalone || opened.has(name)) {
      return "";
    }
    opened.add(name);
    return syntax.opened(period.firstDay, { role, name }, commodity);
  };
  /** The lines before the first entry in a currency. */
  const introduce = ({ currency, symbol }: Movement, commodity: string, legs: Legs): string => {
    const isNew = standalone && commodity !== currency && !named.has(commodity);
    const name = isNew ? syntax.renamed(period.firstDay, commodity, symbol) : "";
    named.add(commodity);
    const perCurrency = roles.filter((role) => isPerCurrency(settings[role]));
    const text = name + perCurrency.map((role) => open(role, legs[role].account, commodity)).join("");
    return books.size === 0 || text === "" ? text : `\n${text}`;
  };
  const write = (movement: Movement): string => {
    let introduction = "";
    const key = `${movement.account} ${movement.currency}`;
    let legs = books.get(key);
    if (legs === undefined) {
      const commodity = commodityOf(movement.currency);
      legs = legsOf(movement.account, commodity);
      introduction = introduce(movement, commodity, legs);
      books.set(key, legs);
    }
    const { cash: margin, [KINDS[movement.kind].role]: other } = legs;
    const amount = isReceived(movement.kind) ? movement.amount : movement.amount.neg();
    const postings = pieces(amount, syntax.digits).flatMap((piece) => [
      [margin, piece] as const,
      [other, piece.neg()] as const,
    ]);
    return `${introduction}\n${syntax.entry(movement)}${balances.post(postings)}`;
  };

  return {
    path: syntax.path,
    description: `Journal for ${syntax.program}, by day and market: gross realised PnL, fees less rebates${hasFunding ? ", and the user's funding" : ", excl. funding"}${hasTransfers ? ", deposits and withdrawals" : ""}. Each entry balances exactly${standalone ? ", and the last lines assert the totals" : ""}.`,
    mediatype: "text/plain",
    begin() {
      const shared = roles.filter((role) => !isPerCurrency(settings[role]));
      const head = syntax.begin({ title, notes: notesOf(context), standalone });
      const opening = accounts.flatMap(({ account }) =>
        shared.map((role) => open(role, nameOf(role, account, ""), null)),
      );
      return head + opening.join("");
    },
    add: () => "",
    addDays: (days) => cash.of(days).flat().map(write).join(""),
    end({ sums: { cells } }) {
      const rest = cash.rest().flat().map(write).join("");
      const unknown = cells.reduce((sum, cell) => sum + cell.untyped + blankCloses(cell), 0);
      const note = unknown === 0 ? "" : `\n; Fills whose PnL is not known and excluded from all sums: ${unknown}\n`;
      return rest + note + (standalone ? syntax.closed(period.lastDay, title, balances.all) : "");
    },
  };
}

const ROLES: readonly Role[] = ["cash", "realised", "fees", "funding", "transfers"];

/** The balances of an account in a currency. */
type Legs = Readonly<Record<Role, Balance>>;

function isPerCurrency(name: string): boolean {
  return name.includes("{currency}");
}

function notesOf({ period, methods, complete }: PackContext): string[] {
  return [
    ...(complete ? [] : ["INCOMPLETE: the period was not read in full."]),
    `${period.firstDay} to ${period.lastDay}, days of ${period.zone}.`,
    "Contracts are booked as cash movements by day: the PnL before fees of the fills that close a position, and the full fees of all fills.",
    METHOD_STATEMENTS[methods.primary],
  ];
}

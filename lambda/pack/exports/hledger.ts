import type { AccountSettings } from "../make/account-settings.ts";
import type { FileMaker, PackContext } from "../make/maker.ts";
import { type LedgerSyntax, ledgerMaker, type Role } from "./ledger.ts";
import type { DailyCash } from "./movements.ts";
import { padPlaces } from "./postings.ts";
import { visible } from "./visible.ts";

/** journal.hledger. */
export function hledgerMaker(context: PackContext, { hledger }: AccountSettings, cash: DailyCash): FileMaker {
  return ledgerMaker(SYNTAX, context, hledger, cash);
}

/**
 * Account types are declared, because hledger takes some names of income accounts for gains on lots. The user
 * decides what transfers come from.
 */
const TYPES: Readonly<Record<Exclude<Role, "transfers">, string>> = {
  cash: "A",
  realised: "R",
  fees: "X",
  funding: "R",
};

const SYNTAX: LedgerSyntax = {
  path: "journal.hledger",
  program: "hledger",
  digits: Number.POSITIVE_INFINITY,
  indent: "    ",
  symbolOf,
  accountPart: (account) => account.replace(/^-/, "a-"),
  commodityPart: (commodity) => commodity.toLowerCase(),
  begin: ({ title, notes }) => `${[title, ...notes].map((line) => `; ${line}\n`).join("")}decimal-mark .\n`,
  renamed: (_, commodity, currency) => `; ${commodity}: ${currency}\n`,
  opened: (_, { role, name }) => `account ${name}${role === "transfers" ? "" : `  ; type: ${TYPES[role]}`}\n`,
  entry({ day, market, text, id, note }) {
    // Characters that would end a tag or the line, or begin a comment or a date.
    const remark = note === "" ? "" : `, note: ${visible(note, /[;|,()[\]]/g)}`;
    return `${day} * ${market === "" ? "" : `${market} | `}${text}\n    ; id: ${id}${remark}\n`;
  },
  closed(lastDay, title, balances) {
    if (balances.length === 0) {
      return "";
    }
    const places = new Map<string, number>();
    for (const balance of balances) {
      places.set(balance.commodity, Math.max(balance.places, places.get(balance.commodity) ?? LEAST_PLACES));
    }
    const directives = [...places].map(
      ([commodity, digits]) => `commodity ${padPlaces("1000", digits)} ${symbolOf(commodity)}\n`,
    );
    const width = Math.max(...balances.map(({ account }) => account.length));
    const assertions = balances.map(
      ({ account, commodity, amount, places: digits }) =>
        `    ${account.padEnd(width)}    0 ${symbolOf(commodity)} = ${padPlaces(String(amount), digits)} ${symbolOf(commodity)}\n`,
    );
    return `\n${directives.join("")}\n${lastDay} * ${title} | balances at the end of the day\n${assertions.join("")}`;
  },
};

/** The commodity directive needs a decimal mark. */
const LEAST_PLACES = 2;

/** A name with digits or hyphens must be quoted. */
function symbolOf(commodity: string): string {
  return /^[A-Z]+$/.test(commodity) ? commodity : `"${commodity}"`;
}

import { account, currency, day, money, note, REQUIRED, text } from "../tables/column.ts";
import type { Table } from "../tables/table.ts";
import { type DailyCash, isReceived, KINDS, type Movement } from "./movements.ts";

const COUNTER_ACCOUNTS = [...new Set(Object.values(KINDS).map(({ counter }) => counter))];

/** journal.csv: one row for each entry of the ledgers' journals. */
export function journalTable(cash: DailyCash): Table<Movement> {
  return {
    path: "journal.csv",
    get description() {
      return `Double entry by day, market and kind: each row is an entry of one amount between the margin balance of an account and its counter-account, so the journal balances. Gains and losses are before fees, by the chosen method. A deposit or withdrawal is a row of its own. ${cash.notes}`.trim();
    },
    columns: [
      day("date", "Local day in the period's time zone, for example 2025-03-01.", (row) => row.day, REQUIRED),
      {
        ...account<Movement>((row) => row.account),
        description: "Name of the account in fillbook: its margin balance, an asset. Debit and credit are its own.",
      },
      text(
        ["counter_account", "Counter-account"],
        `The other side of the entry: ${COUNTER_ACCOUNTS.join(", ")}. A debit of the account is a credit of the counter-account.`,
        ({ kind }) => KINDS[kind].counter,
        REQUIRED,
      ),
      { ...currency<Movement>((row) => row.currency), description: "Currency of the amount." },
      money("debit", "Amount by which the margin balance grows.", (row) => amountIf(true, row)),
      money("credit", "Amount by which the margin balance falls.", (row) => amountIf(false, row)),
      note("text", "Market, what was added up, and of how many fills.", ({ description }) => description, REQUIRED),
    ],
    rows: { days: (days) => cash.of(days), atEnd: () => cash.rest() },
  };
}

function amountIf(isDebit: boolean, { kind, amount }: Movement) {
  return isReceived(kind) === isDebit ? amount : null;
}

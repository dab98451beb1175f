import { account, count, money, note, REQUIRED, text, time } from "./column.ts";
import type { MatchedTransfer } from "./match-transfers.ts";
import type { Table } from "./table.ts";

/** transfers.csv: each line of the accounts' own files, and the account that the cash went to or came from. */
export function transfersTable(transfers: readonly MatchedTransfer[]): Table<MatchedTransfer> {
  return {
    path: "transfers.csv",
    description:
      "Deposits and withdrawals of all accounts, from their transfers.csv files. If one account withdrew the same amount of the same currency that another account deposited at most two days apart, each of the two rows names the other account. This match is based on amount and time only; other_candidates shows where more than one line would match.",
    columns: [
      time("time", "Time of the transfer, UTC.", (row) => row.time, REQUIRED),
      account<MatchedTransfer>((row) => row.account),
      text("currency", "Currency of the amount.", (row) => row.currency, REQUIRED),
      money("amount", "Positive: a deposit. Negative: a withdrawal.", (row) => row.amount, REQUIRED),
      note("note", "The user's note.", (row) => row.note),
      text(
        "between",
        "accounts: to or from another account of the pack. outside: to or from elsewhere.",
        ({ other }) => (other === null ? "outside" : "accounts"),
        REQUIRED,
      ),
      text("other_account", "The other account. Empty for outside.", ({ other }) => other?.account),
      time(
        "other_time",
        "Time of the transfer in the other account, UTC. It can be outside the period.",
        ({ other }) => other?.time,
      ),
      count(
        ["other_candidates", "Candidates"],
        "Number of lines of other accounts that would match this line: same currency and opposite amount, at most two days apart. It includes the line named in other_account. If there are more, another line could be the right match.",
        ({ candidates }) => candidates,
        REQUIRED,
      ),
    ],
    rows: { atEnd: () => transfers },
  };
}

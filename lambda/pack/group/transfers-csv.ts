import type { FileMaker } from "../build/maker.ts";
import { amount, integer, REQUIRED, text, time } from "../files/csv/columns.ts";
import { CsvMaker } from "../files/csv/csv-maker.ts";
import type { MatchedTransfer } from "./match-transfers.ts";

/**
 * transfers.csv of a group: each line of the accounts' own files, and the account that the cash went to or
 * came from.
 */
export function transfersMaker(transfers: readonly MatchedTransfer[]): FileMaker {
  return new CsvMaker<MatchedTransfer>({
    path: "transfers.csv",
    description:
      "Deposits and withdrawals of all accounts, from their files transfers.csv. Where one account withdrew what another deposited (the same currency and amount, two days apart at most, as files have days), each of the two rows names the other. That it is the same cash is concluded from amount and time; other_candidates says where more than one line would fit.",
    columns: [
      time("time", "When it was booked.", (row) => row.time, REQUIRED),
      text("account", "Whose cash it is.", (row) => row.account, REQUIRED),
      text("currency", "Of the amount.", (row) => row.currency, REQUIRED),
      amount("amount", "Positive: a deposit; negative: a withdrawal.", (row) => row.amount, REQUIRED),
      text("note", "As the user wrote it.", (row) => row.note),
      text(
        "between",
        "accounts: to or from another account of the group. outside: to or from elsewhere.",
        ({ other }) => (other === null ? "outside" : "accounts"),
        REQUIRED,
      ),
      text("other_account", "The other account; empty for outside.", ({ other }) => other?.account),
      time("other_time", "When it was booked there; it may lie outside the period.", ({ other }) => other?.time),
      integer(
        "other_candidates",
        "Lines of other accounts with this currency and amount that are near enough. More than there are in other_account: it could be another one, or one that is taken already.",
        ({ candidates }) => candidates,
        REQUIRED,
      ),
    ],
    rowsAtEnd: () => transfers,
  });
}

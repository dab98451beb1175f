import { tieEffects } from "../../../../accounting/ties.ts";
import { count, counted } from "../../../../core/text.ts";
import type { Closing, ExceptionRow } from "../../../build/maker.ts";
import { firstOf } from "../figures.ts";
import { type Html, html, outside } from "../html.ts";
import { money, result } from "../numbers.ts";
import { file, numbers, type Section } from "../parts.ts";
import { type TableRow, table } from "../table.ts";
import type { View } from "../view.ts";
import { ids } from "./open-positions.ts";

/** The page shows so many; exceptions.csv has all. */
const MOST_EXCEPTIONS = 200;

/** What a reader must know of single fills. */
export function exceptionsSection({ context, closing, kept }: View): Section {
  const { exceptions } = closing;
  const { shown } = firstOf(exceptions.first, MOST_EXCEPTIONS);
  const rest =
    exceptions.count > shown.length
      ? html`The first ${count(shown.length)} of ${count(exceptions.count)}; all are in ${file(context, "exceptions.csv")}.`
      : null;
  return {
    id: "exceptions",
    title: "Exceptions and cut-off",
    body: html`
<p>${cutOff(context.basis, kept.acrossBorder)}</p>${
      shown.length === 0
        ? html`<p class="empty">There are no exceptions.</p>`
        : table({
            id: "exceptions-table",
            caption: "Exceptions",
            columns: [
              { head: "Created, UTC" },
              { head: "Market" },
              { head: "Column" },
              { head: "What a reader must know" },
              { head: "What the service sent" },
              { head: "Match, order" },
            ],
            rows: shown.map(exceptionRow),
            note: rest,
          })
    }${tieTable(closing)}`,
  };
}

/** Figures that rest on an order which nobody knows. */
function tieTable({ ties, statement }: Closing): Html {
  const effects = tieEffects(ties, statement);
  const broken = ties.filter(({ reversible }) => !reversible).length;
  const { shown, left } = firstOf(effects, MOST_EFFECTS);
  const lead = html`
<h3>Fills that share a time</h3>
<p>Fills that have the time of another fill of the same market: ${count(statement.ties)}. ${
    statement.ties === 0
      ? null
      : `They were booked in the reverse order too: ${effects.length === 0 ? "no figure of the period changes." : "these figures change."}`
  }${broken === 0 ? null : ` Of ${counted(broken, "market")} that could not be done to the end, as matches.csv names lots that are not open then.`}</p>`;
  return effects.length === 0
    ? lead
    : html`${lead}${table({
        id: "ties-table",
        caption: "Figures of the period that the order of fills of one time changes, excl. funding",
        columns: [
          { head: "Market" },
          { head: "Method" },
          { head: "Figure" },
          ...numbers("In this pack", "In reverse order"),
        ],
        rows: shown.map(({ market, method, figure, inOrder, reversed }, at) => ({
          key: String(at + 1),
          cells: [
            outside(market),
            method,
            figure === "gross" ? "Realised before fees" : "Fees recognised",
            figure === "gross" ? result(inOrder) : money(inOrder),
            figure === "gross" ? result(reversed) : money(reversed),
          ],
        })),
        note: left === 0 ? null : `${count(left)} more figures change.`,
      })}`;
}

const MOST_EFFECTS = 100;

function cutOff(basis: "fill" | "transaction", acrossBorder: number): Html {
  const rule =
    basis === "fill"
      ? "A fill belongs to the period by the time at which it was filled, or at which its transaction was created where the service gave no other."
      : "A fill belongs to the period by the time at which its transaction was created.";
  return html`Cut-off: ${rule} ${
    acrossBorder === 0
      ? "No fill of this period has a time outside of it."
      : `${counted(acrossBorder, "fill")} of this period: the other time is outside of it, and the rows beneath say so.`
  }`;
}

function exceptionRow(
  { matchId, orderId, txCreated, market, column, reason, value }: ExceptionRow,
  at: number,
): TableRow {
  return {
    key: String(at + 1),
    cells: [
      txCreated === null ? null : outside(txCreated.replace("T", " ").replace("Z", "")),
      market === null ? null : outside(market),
      column === null ? null : outside(column),
      outside(reason),
      value === null ? null : outside(value),
      ids([matchId, orderId]),
    ],
  };
}

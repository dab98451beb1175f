import type { Amount } from "../../../../accounting/amount.ts";
import { type TieEffect, tieEffects } from "../../../../accounting/ties.ts";
import { count, counted } from "../../../../core/text.ts";
import type { Closing, ExceptionRow } from "../../../build/maker.ts";
import { type Html, html, outside } from "../html.ts";
import { money, result } from "../numbers.ts";
import { file, ids, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";

/** The page shows so many; exceptions.csv has all. */
const MOST_EXCEPTIONS = 200;

/** What a reader must know of single fills. */
export function exceptionsSection({ context, closing, kept }: View): Section {
  const { count: all, first } = closing.exceptions;
  const shown = first.slice(0, MOST_EXCEPTIONS);
  const shownOrNot = (value: string | null) => (value === null ? null : outside(value));
  return {
    id: "exceptions",
    title: "Exceptions and cut-off",
    body: html`
<p>${cutOff(context.basis, kept.acrossBorder)}</p>${
      shown.length === 0
        ? html`<p class="empty">There are no exceptions.</p>`
        : listTable<ExceptionRow>({
            id: "exceptions-table",
            caption: "Exceptions",
            columns: [
              column("Created, UTC", ({ txCreated }) =>
                shownOrNot(txCreated?.replace("T", " ").replace("Z", "") ?? null),
              ),
              column("Market", ({ market }) => shownOrNot(market)),
              column("Column", (row) => shownOrNot(row.column)),
              column("What a reader must know", ({ reason }) => outside(reason)),
              column("What the service sent", ({ value }) => shownOrNot(value)),
              column("Match, order", ({ matchId, orderId }) => ids([matchId, orderId])),
            ],
            items: shown,
            note:
              all > shown.length
                ? html`The first ${count(shown.length)} of ${count(all)}; all are in ${file(context, "exceptions.csv")}.`
                : null,
          })
    }${tieTable(closing)}`,
  };
}

/** Figures that rest on an order which nobody knows. */
function tieTable({ ties, statement }: Closing): Html {
  const effects = tieEffects(ties, statement);
  const broken = ties.filter(({ reversible }) => !reversible).length;
  const lead = html`
<h3>Fills that share a time</h3>
<p>Fills that have the time of another fill of the same market: ${count(statement.ties)}. ${
    statement.ties === 0
      ? null
      : `They were booked in the reverse order too: ${effects.length === 0 ? "no figure of the period changes." : "these figures change."}`
  }${broken === 0 ? null : ` Of ${counted(broken, "market")} that could not be done to the end, as matches.csv names lots that are not open then.`}</p>`;
  const amountOf = ({ figure }: TieEffect, amount: Amount) => (figure === "gross" ? result(amount) : money(amount));
  return effects.length === 0
    ? lead
    : html`${lead}${listTable<TieEffect>({
        id: "ties-table",
        caption: "Figures of the period that the order of fills of one time changes, excl. funding",
        columns: [
          column("Market", ({ market }) => outside(market)),
          column("Method", ({ method }) => method),
          column("Figure", ({ figure }) => (figure === "gross" ? "Realised before fees" : "Fees recognised")),
          numberColumn("In this pack", (effect) => amountOf(effect, effect.inOrder)),
          numberColumn("In reverse order", (effect) => amountOf(effect, effect.reversed)),
        ],
        items: effects,
        most: MOST_EFFECTS,
        more: (left) => `${count(left)} more figures change.`,
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

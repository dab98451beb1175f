import { type Html, html, symbol } from "../html.ts";
import { framedParts } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";
import type { Figure, StatementTable } from "./statement-figures.ts";
import { type StatementSheet, statementSheet } from "./statement-sheet.ts";

/** The statement as the first section of the page, with room for signatures. */
export function statementSection(view: View): Html {
  const sheet = statementSheet(view);
  const tables = sheet.tables.map((one) => ({ name: one.currency.name, part: tableOf(one, sheet) }));
  return html`
<header class="cover" id="statement">
<p class="brand">fillbook</p>
<h1>${sheet.title}</h1>
<p class="lead">${sheet.lead}</p>
${stateOf(sheet, view.context.complete)}${tilesOf(sheet)}<div class="pair">${framedParts(view, tables)}</div>${pointsOf(sheet)}${factsOf(sheet)}${proofOf(sheet)}${signaturesOf(sheet)}
</header>`;
}

function stateOf({ state: { claim, text } }: StatementSheet, isComplete: boolean): Html {
  return isComplete
    ? html`<p class="state complete"><strong><span aria-hidden="true">✓</span> ${claim}</strong> ${text}</p>`
    : html`<p class="state incomplete" role="note"><strong><span aria-hidden="true">▲</span> ${claim}</strong> ${text}</p>`;
}

function tilesOf({ tiles }: StatementSheet): Html | null {
  return tiles.length === 0
    ? null
    : html`
<dl class="tiles">${tiles.map(
        ({ label, value, unit, small }) => html`
<div><dt>${label}</dt><dd>${value}<span class="unit">${symbol(unit)}</span></dd><dd class="small">${small}</dd></div>`,
      )}
</dl>`;
}

function tableOf({ currency, caption, figures, note }: StatementTable, { heads: [own, beside] }: StatementSheet): Html {
  return listTable<Figure>({
    id: `statement-${currency.number}`,
    caption,
    columns: [
      column("Figure", ({ label, isMain }) => (isMain ? html`<strong>${label}</strong>` : label)),
      numberColumn(own, ({ cell }) => cell),
      numberColumn(beside, ({ compared }) => compared),
    ],
    items: figures,
    keyOf: ({ key }) => key,
    note,
  });
}

function pointsOf({ points }: StatementSheet): Html {
  return points.length === 0
    ? html`<p class="note">There are no points to note.</p>`
    : html`
<div class="points">
<h2>Points to note</h2>
<ul>${points.map(
        (point) => html`
<li>${point}</li>`,
      )}
</ul>
</div>`;
}

function factsOf({ facts }: StatementSheet): Html {
  return html`
<dl class="facts">
${facts.map(
  ({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
)}</dl>`;
}

function proofOf({ proof }: StatementSheet): Html {
  return html`
<div class="proof">
<h2>Proof</h2>
<ol>${proof.map(
    (line) => html`
<li>${line}</li>`,
  )}
</ol>
</div>`;
}

function signaturesOf({ signatures }: StatementSheet): Html | null {
  return signatures.length === 0
    ? null
    : html`
<div class="signatures">${signatures.map((name) => html`<p>${name}</p>`)}</div>`;
}

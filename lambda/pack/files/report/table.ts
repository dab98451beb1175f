import { type Html, type HtmlValue, html, outsideText } from "./html.ts";

export interface TableColumn {
  readonly head: HtmlValue;
  /** Columns that follow one another under one head have the same. */
  readonly group?: string;
  readonly kind?: "text" | "number";
}

export interface TableRow {
  /** Tells the rows of a table apart. */
  readonly key: string;
  /** The first is the head of the row. */
  readonly cells: readonly HtmlValue[];
  readonly isTotal?: boolean;
}

export interface Table {
  /** Of the page, unique. */
  readonly id: string;
  readonly caption: HtmlValue;
  readonly columns: readonly TableColumn[];
  readonly rows: readonly TableRow[];
  /** What stands beneath it. */
  readonly note?: HtmlValue;
}

/** So many rows stay on one sheet of paper. */
const SHORT = 16;

/** A table in a frame of its own that scrolls sideways where the page is narrow. */
export function table({ id, caption, columns, rows, note = null }: Table): Html {
  const body = rows.filter(({ isTotal }) => isTotal !== true);
  const foot = rows.filter(({ isTotal }) => isTotal === true);
  return html`
<div class="scroll${rows.length <= SHORT ? " short" : ""}" role="group" aria-labelledby="${id}-caption" tabindex="0">
<table id="${id}">
<caption id="${id}-caption">${caption}</caption>
<thead>${headRows(columns)}</thead>
<tbody>${body.map((row) => tableRow(row, columns))}</tbody>${
    foot.length === 0 ? null : html`<tfoot>${foot.map((row) => tableRow(row, columns))}</tfoot>`
  }
</table>
</div>${note === null ? null : html`<p class="note">${note}</p>`}`;
}

/** A table of what a chart shows, to be opened. */
export function dataTable(summary: HtmlValue, spec: Table): Html {
  return html`<details><summary>${summary}</summary>${table(spec)}</details>`;
}

function headRows(columns: readonly TableColumn[]): Html {
  const cell = (at: number, attributes: Html): Html =>
    html`<th${attributes}${classesOf(columns, at)}>${columns[at]?.head ?? null}</th>`;
  if (columns.every(({ group }) => group === undefined)) {
    return html`<tr>${columns.map((_, at) => cell(at, html` scope="col"`))}</tr>`;
  }
  const upper = columns.map(({ group }, at) => {
    if (group === undefined) {
      return cell(at, html` scope="col" rowspan="2"`);
    }
    if (columns[at - 1]?.group === group) {
      return null;
    }
    const after = columns.slice(at).findIndex((other) => other.group !== group);
    const width = after === -1 ? columns.length - at : after;
    return html`<th scope="colgroup" colspan="${width}" class="group"><span>${group}</span></th>`;
  });
  const lower = columns.map(({ group }, at) => (group === undefined ? null : cell(at, html` scope="col"`)));
  return html`<tr>${upper}</tr><tr>${lower}</tr>`;
}

function tableRow({ key, cells }: TableRow, columns: readonly TableColumn[]): Html {
  const [first = null, ...others] = cells;
  return html`
<tr data-row="${outsideText(key)}"><th scope="row">${first}</th>${others.map(
    (cell, at) => html`<td${classesOf(columns, at + 1)}>${cell}</td>`,
  )}</tr>`;
}

/** `n`: a number; `first`: it stands apart from the column before it, which is under another head. */
function classesOf(columns: readonly TableColumn[], at: number): Html | null {
  const column = columns[at];
  const isFirst = at > 0 && column?.group !== columns[at - 1]?.group;
  const classes = [column?.kind === "number" ? "n" : null, isFirst ? "first" : null].filter((name) => name !== null);
  return classes.length === 0 ? null : html` class="${classes.join(" ")}"`;
}

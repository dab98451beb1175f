import { type Html, type HtmlValue, html, outsideText } from "./html.ts";

export interface HtmlColumn {
  readonly head: string;
  /** Consecutive columns under one head have the same group. */
  readonly group?: string;
  /** A quantity may have 18 digits after the point, and breaks if there is no room. */
  readonly kind?: "text" | "number" | "quantity";
}

export interface HtmlRow {
  /** Identifies a row of the table. */
  readonly key: string;
  /** The first cell is the head of the row. */
  readonly cells: readonly HtmlValue[];
  readonly isTotal?: boolean;
}

export interface HtmlTable {
  /** Unique on the page. */
  readonly id: string;
  readonly caption: HtmlValue;
  readonly columns: readonly HtmlColumn[];
  readonly rows: readonly HtmlRow[];
  /** Stands below the table. */
  readonly note?: HtmlValue;
}

/** A table of at most this many rows stays on one printed sheet. */
const SHORT = 8;

/** This many columns fit side by side on a phone. */
const FEW = 3;

/** A framed table. On a phone, a row of a wide table becomes lines, with the heads beside the cells. */
export function table({ id, caption, columns, rows, note = null }: HtmlTable): Html {
  const body = rows.filter(({ isTotal }) => isTotal !== true);
  const foot = rows.filter(({ isTotal }) => isTotal === true);
  return html`
<div class="scroll${rows.length <= SHORT ? " short" : ""}${columns.length > FEW ? " cards" : ""}" role="group" aria-labelledby="${id}-caption" tabindex="0">
<table id="${id}">
<caption id="${id}-caption">${caption}</caption>
<thead>${headRows(columns)}</thead>
<tbody>${body.map((row) => tableRow(row, columns))}</tbody>${
    foot.length === 0 ? null : html`<tfoot>${foot.map((row) => tableRow(row, columns))}</tfoot>`
  }
</table>
</div>${note === null ? null : html`<p class="note">${note}</p>`}`;
}

export function opened(summary: HtmlValue, body: Html): Html {
  return html`<details><summary>${summary}</summary>${body}</details>`;
}

/** A column of a list. It says what it shows of an item. */
export interface ListColumn<T> extends HtmlColumn {
  readonly cell: (item: T) => HtmlValue;
}

export function column<T>(head: string, cell: (item: T) => HtmlValue): ListColumn<T> {
  return { head, cell };
}

export function numberColumn<T>(head: string, cell: (item: T) => HtmlValue, group?: string): ListColumn<T> {
  return { head, cell, kind: "number", ...(group === undefined ? {} : { group }) };
}

export function quantityColumn<T>(head: string, cell: (item: T) => HtmlValue): ListColumn<T> {
  return { head, cell, kind: "quantity" };
}

export interface List<T> extends Pick<HtmlTable, "id" | "caption" | "note"> {
  readonly columns: readonly ListColumn<T>[];
  readonly items: readonly T[];
  /** The most items that are shown. */
  readonly most?: number;
  /** Stands after the note if items are left out. */
  readonly more?: (left: number) => HtmlValue;
  /** Identifies a row. Without it, the row's number does. */
  readonly keyOf?: (item: T) => string;
  readonly total?: T;
  /** The cells of the total, if it is no item. */
  readonly foot?: readonly HtmlValue[];
}

/** A table with a row for each item. */
export function listTable<T>({
  columns,
  items,
  most = items.length,
  more,
  keyOf,
  total,
  foot,
  ...frame
}: List<T>): Html {
  const cells = (item: T) => columns.map(({ cell }) => cell(item));
  const rows = items
    .slice(0, most)
    .map((item, at): HtmlRow => ({ key: keyOf?.(item) ?? String(at + 1), cells: cells(item) }));
  const last = total === undefined ? foot : cells(total);
  const left = items.length - rows.length;
  const notes = [frame.note, left === 0 ? null : more?.(left)].filter((note) => note !== undefined && note !== null);
  return table({
    ...frame,
    columns,
    rows: last === undefined ? rows : [...rows, { key: "total", cells: last, isTotal: true }],
    note: notes.length === 0 ? null : notes,
  });
}

function headRows(columns: readonly HtmlColumn[]): Html {
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

function tableRow({ key, cells }: HtmlRow, columns: readonly HtmlColumn[]): Html {
  const [first = null, ...others] = cells;
  return html`
<tr data-row="${outsideText(key)}"><th scope="row">${first}</th>${others.map(
    (cell, at) => html`<td${classesOf(columns, at + 1)}${labelOf(columns, at + 1)}>${cell}</td>`,
  )}</tr>`;
}

/** The head of a cell, for rows that become lines. A narrow table stays a table. */
function labelOf(columns: readonly HtmlColumn[], at: number): Html | null {
  const { head = "", group } = columns[at] ?? {};
  return columns.length <= FEW ? null : html` data-label="${group === undefined ? head : `${group}: ${head}`}"`;
}

/** `n`: a number. `q`: one that may break. `first`: the column begins a new group. */
function classesOf(columns: readonly HtmlColumn[], at: number): Html | null {
  const own = columns[at];
  const isFirst = at > 0 && own?.group !== columns[at - 1]?.group;
  const kinds = { text: null, number: "n", quantity: "n q" } as const;
  const classes = [kinds[own?.kind ?? "text"], isFirst ? "first" : null].filter((name) => name !== null);
  return classes.length === 0 ? null : html` class="${classes.join(" ")}"`;
}

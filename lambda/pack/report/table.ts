import { counted } from "../../core/text.ts";
import { type Html, type HtmlValue, html, outsideText } from "./html.ts";

/** A column of a list. It says what it shows of an item. */
export interface ListColumn<T> {
  readonly head: string;
  readonly cell: (item: T) => HtmlValue;
  /** A quantity may have 18 digits after the point, and breaks if there is no room. */
  readonly kind?: "text" | "number" | "quantity";
}

export function column<T>(head: string, cell: (item: T) => HtmlValue): ListColumn<T> {
  return { head, cell };
}

export function numberColumn<T>(head: string, cell: (item: T) => HtmlValue): ListColumn<T> {
  return { head, cell, kind: "number" };
}

export interface List<T> {
  /** Unique on the page. */
  readonly id: string;
  readonly caption: HtmlValue;
  /** The first cell is the head of the row. */
  readonly columns: readonly ListColumn<T>[];
  readonly items: readonly T[];
  /** The most items that are shown. */
  readonly most?: number;
  /** How many there are, if `items` has not all. */
  readonly count?: number;
  /** The file that has all. */
  readonly all?: Html;
  /** Stands below the table. */
  readonly note?: HtmlValue;
  /** Identifies a row. Without it, the row's number does. */
  readonly keyOf?: (item: T) => string;
  readonly total?: T | undefined;
}

/** A table of at most this many rows stays on one printed sheet. */
const SHORT = 8;
/** This many columns fit side by side on a phone. */
const FEW = 3;
const CLASSES = { text: null, number: html` class="n"`, quantity: html` class="n q"` } as const;

/**
 * A framed table with a row for each item. On a phone, a row of a wide table becomes lines, with the heads beside
 * the cells.
 */
export function listTable<T>(list: List<T>): Html {
  const {
    id,
    caption,
    columns,
    items,
    most = items.length,
    count = items.length,
    all,
    note = null,
    keyOf,
    total,
  } = list;
  const shown = items.slice(0, most);
  const left = count - shown.length;
  const more =
    left > 0 && all !== undefined ? html` ${counted(left, "more row is", "more rows are")} in ${all}.` : null;
  const isWide = columns.length > FEW;
  const rowOf = (item: T, key: string): Html => {
    const [first = null, ...others] = columns.map(({ cell }) => cell(item));
    const cells = others.map((cell, at) => {
      const { head = "", kind = "text" } = columns[at + 1] ?? {};
      return html`<td${CLASSES[kind]}${isWide ? html` data-label="${head}"` : null}>${cell}</td>`;
    });
    return html`
<tr data-row="${outsideText(key)}"><th scope="row">${first}</th>${cells}</tr>`;
  };
  return html`
<div class="scroll${shown.length < SHORT ? " short" : ""}${isWide ? " cards" : ""}" role="group" aria-labelledby="${id}-caption" tabindex="0">
<table id="${id}">
<caption id="${id}-caption">${caption}</caption>
<thead><tr>${columns.map(({ head, kind = "text" }) => html`<th scope="col"${CLASSES[kind]}>${head}</th>`)}</tr></thead>
<tbody>${shown.map((item, at) => rowOf(item, keyOf?.(item) ?? String(at + 1)))}</tbody>${
    total === undefined ? null : html`<tfoot>${rowOf(total, "total")}</tfoot>`
  }
</table>
</div>${note === null && more === null ? null : html`<p class="note">${note}${more}</p>`}`;
}

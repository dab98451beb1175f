import { usageError } from "../../core/errors.ts";
import { isoTime } from "../../core/time.ts";
import { type Deflated, TextDeflater, type ZipEntry, zipEntry, zipOf } from "../zip.ts";
import { LINE_POINTS, pointsOf, STYLE_INDEX, type Style, stylesXml } from "./styles.ts";
import { cellXml, escapeXml } from "./text.ts";

/**
 * Workbooks by ECMA-376 (Office Open XML), written row by row. Only the compressed sheet is kept in memory.
 * Equal cells give equal bytes on every machine. Text is an inline string and never a formula, whatever it
 * looks like.
 */
export type SheetCell = TextCell | NumberCell | null;

export interface TextCell {
  readonly text: string;
  readonly style: Style;
}

export interface NumberCell {
  /** A plain decimal. A spreadsheet keeps its first 15 significant digits. */
  readonly number: string;
  readonly style: Style;
}

export interface SheetPlan {
  readonly name: string;
  /** The widths of the columns, in characters. */
  readonly widths: readonly number[];
  /** Rows at the top that stay visible and repeat on every printed page. 0: none. */
  readonly headRows: number;
  /** Stands at the bottom of every printed page. */
  readonly footer: string;
}

export interface Sheet extends SheetPlan {
  readonly content: Deflated;
  readonly filter: string | null;
  /** All cells. */
  readonly area: string;
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** ECMA-376 allows no more. */
const MOST_ROWS = 1_048_576;
/** The width of a column that has none, in characters. */
const DEFAULT_WIDTH = 9;
/** A4 in landscape. A page is as wide as the sheet. */
const PAGE =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>';

export class SheetWriter {
  readonly #plan: SheetPlan;
  readonly #deflater = new TextDeflater();
  readonly #merged: string[] = [];
  #rows = 0;

  constructor(plan: SheetPlan) {
    this.#plan = plan;
    this.#deflater.write(
      `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>${viewXml(plan)}<sheetFormatPr defaultRowHeight="15"/>${columnsXml(plan)}<sheetData>`,
    );
  }

  /** The rows so far, and the number of the last one. */
  get rows(): number {
    return this.#rows;
  }

  /** `isWide`: the last cell extends to the end of the sheet. Throws `usage` if the sheet is full. */
  add(cells: readonly SheetCell[], { isWide = false }: { readonly isWide?: boolean } = {}): void {
    const { name, widths } = this.#plan;
    if (this.#rows === MOST_ROWS) {
      throw usageError(
        `the sheet ${name} would have more rows than programs open (${MOST_ROWS})`,
        "make packs of shorter periods",
      );
    }
    this.#rows += 1;
    const row = this.#rows;
    const wideFrom = isWide ? cells.length - 1 : null;
    if (wideFrom !== null && wideFrom < widths.length - 1) {
      this.#merged.push(`${columnName(wideFrom)}${row}:${columnName(widths.length - 1)}${row}`);
    }
    const points = Math.max(
      LINE_POINTS,
      ...cells.map((cell, at) => {
        const width = at === wideFrom ? widths.slice(at).reduce((sum, one) => sum + one, 0) : widths[at];
        return cell !== null && "text" in cell ? pointsOf(cell.text, cell.style, width ?? DEFAULT_WIDTH) : LINE_POINTS;
      }),
    );
    const height = points === LINE_POINTS ? "" : ` ht="${points}" customHeight="1"`;
    this.#deflater.write(
      `<row r="${row}"${height}>${cells.map((cell, at) => (cell === null ? "" : cellElement(cell, columnName(at) + row))).join("")}</row>`,
    );
  }

  /** `filter`: the rows that can be filtered, with their header (`A2:F40`). */
  finish(filter: string | null = null): Sheet {
    const { widths } = this.#plan;
    const filterXml = filter === null ? "" : `<autoFilter ref="${filter}"/>`;
    const last = columnName(widths.length - 1);
    const merged = this.#merged.map((range) => `<mergeCell ref="${range}"/>`).join("");
    const mergeXml = merged === "" ? "" : `<mergeCells count="${this.#merged.length}">${merged}</mergeCells>`;
    const area = `A1:${last}${this.#rows}`;
    const footer = escapeXml(`&L${this.#plan.footer.replaceAll("&", "&&")}&C&A&R&P / &N`);
    this.#deflater.write(
      `</sheetData>${filterXml}${mergeXml}${PAGE}<headerFooter><oddFooter>${footer}</oddFooter></headerFooter><ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors></worksheet>`,
    );
    return { ...this.#plan, area, filter, content: this.#deflater.finish() };
  }
}

function viewXml({ headRows }: SheetPlan): string {
  const pane =
    headRows === 0
      ? ""
      : `<pane ySplit="${headRows}" topLeftCell="A${headRows + 1}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A${headRows + 1}" sqref="A${headRows + 1}"/>`;
  return `<sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>`;
}

function columnsXml({ widths }: SheetPlan): string {
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  return `<cols>${columns.join("")}</cols>`;
}

function cellElement(cell: TextCell | NumberCell, reference: string): string {
  const start = `<c r="${reference}" s="${STYLE_INDEX[cell.style]}"`;
  if ("text" in cell) {
    return `${start} t="inlineStr"><is><t xml:space="preserve">${cellXml(cell.text)}</t></is></c>`;
  }
  return `${start}><v>${cell.number}</v></c>`;
}

/** `A` of 0, `AA` of 26. */
export function columnName(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnName(Math.floor(at / 26) - 1) + letter;
}

/** A sheet's name as it stands in a formula. */
function quotedName(name: string): string {
  return `'${name.replaceAll("'", "''")}'`;
}

export interface WorkbookFacts {
  readonly title: string;
  readonly creator: string;
  /** ms UTC. The workbook says that it was made and changed then. */
  readonly time: number;
}

/** The file. */
export function workbookOf(sheets: readonly Sheet[], facts: WorkbookFacts): Uint8Array {
  const part = (path: string, xml: string): ZipEntry => zipEntry(path, DECLARATION + xml);
  return zipOf([
    part("[Content_Types].xml", contentTypesXml(sheets)),
    part(
      "_rels/.rels",
      relationsXml([
        [`${RELATIONSHIPS}/officeDocument`, "xl/workbook.xml"],
        [`${PACKAGE}/relationships/metadata/core-properties`, "docProps/core.xml"],
        [`${RELATIONSHIPS}/extended-properties`, "docProps/app.xml"],
      ]),
    ),
    part("docProps/core.xml", coreXml(facts)),
    part("docProps/app.xml", appXml(facts)),
    part("xl/workbook.xml", workbookXml(sheets)),
    // The sheets come first: workbookXml names them `rId1` and so on.
    part(
      "xl/_rels/workbook.xml.rels",
      relationsXml([
        ...sheets.map((_, at) => [`${RELATIONSHIPS}/worksheet`, `worksheets/sheet${at + 1}.xml`] as const),
        [`${RELATIONSHIPS}/styles`, "styles.xml"],
      ]),
    ),
    part("xl/styles.xml", stylesXml(MAIN)),
    ...sheets.map(({ content }, at) => ({ path: `xl/worksheets/sheet${at + 1}.xml`, ...content })),
  ]);
}

function contentTypesXml(sheets: readonly Sheet[]): string {
  const parts = [
    ["/xl/workbook.xml", `${CONTENT_TYPE}.sheet.main+xml`],
    ["/xl/styles.xml", `${CONTENT_TYPE}.styles+xml`],
    ...sheets.map((_, at) => [`/xl/worksheets/sheet${at + 1}.xml`, `${CONTENT_TYPE}.worksheet+xml`]),
    ["/docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml"],
    ["/docProps/app.xml", "application/vnd.openxmlformats-officedocument.extended-properties+xml"],
  ];
  const overrides = parts.map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`);
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join("")}</Types>`;
}

function relationsXml(relations: readonly (readonly [type: string, target: string])[]): string {
  const all = relations.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`;
}

function workbookXml(sheets: readonly Sheet[]): string {
  const list = sheets.map(
    ({ name }, at) => `<sheet name="${escapeXml(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const names = sheets.flatMap(({ name, headRows, filter, area }, at) => {
    const defined = (what: string, range: string, hidden = "") =>
      `<definedName name="_xlnm.${what}" localSheetId="${at}"${hidden}>${escapeXml(`${quotedName(name)}!${range.replaceAll(/[A-Z]+|\d+/g, "$$$&")}`)}</definedName>`;
    return [
      // Text that runs past the last column would make the page wider.
      defined("Print_Area", area),
      headRows === 0 ? "" : defined("Print_Titles", `1:${headRows}`),
      filter === null ? "" : defined("_FilterDatabase", filter, ' hidden="1"'),
    ];
  });
  const defined = `<definedNames>${names.join("")}</definedNames>`;
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><bookViews><workbookView xWindow="0" yWindow="0" windowWidth="24000" windowHeight="12000"/></bookViews><sheets>${list.join("")}</sheets>${defined}<calcPr calcId="191029"/></workbook>`;
}

function coreXml({ title, creator, time }: WorkbookFacts): string {
  const at = `${isoTime(time).slice(0, 19)}Z`;
  return `<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${cellXml(title)}</dc:title><dc:creator>${cellXml(creator)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${at}</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">${at}</dcterms:modified></cp:coreProperties>`;
}

function appXml({ creator }: WorkbookFacts): string {
  return `<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>${cellXml(creator)}</Application></Properties>`;
}

/** The styles of cells. A workbook has exactly these. */
interface Look {
  /** A number format of ECMA-376's list, or of FORMATS. */
  readonly format: number;
  readonly font?: keyof typeof FONTS;
  readonly isFilled?: boolean;
  readonly border?: (typeof BORDERS)[number];
  readonly horizontal?: "right";
  readonly wraps?: boolean;
}

const GENERAL = 0;
const WHOLE = 3; // #,##0
/** Keeps what is typed into the cell as text, so that text which looks like a formula does not become one. */
const TEXT = 49; // @
const AMOUNT = 164;
const TIME = 165;

const FORMATS = [
  [AMOUNT, "#,##0.00######"],
  [TIME, "yyyy-mm-dd hh:mm:ss"],
] as const;

/**
 * `points`: the height of a line. `room`: how many letters fit into the width of one digit, in which widths
 * are counted.
 */
const FONTS = {
  plain: { xml: '<font><sz val="11"/><name val="Calibri"/><family val="2"/></font>', points: 15, room: 1 },
  bold: { xml: '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font>', points: 15, room: 0.9 },
  large: { xml: '<font><b/><sz val="14"/><name val="Calibri"/><family val="2"/></font>', points: 20, room: 0.7 },
} as const;
const FONT_NAMES = Object.keys(FONTS);
const BORDERS = ["none", "top", "bottom"] as const;

const LOOKS = {
  text: { format: TEXT },
  wrapped: { format: TEXT, wraps: true },
  strong: { format: TEXT, font: "bold", wraps: true },
  title: { format: TEXT, font: "large", wraps: true },
  head: { format: TEXT, font: "bold", isFilled: true, border: "bottom", wraps: true },
  numberHead: { format: TEXT, font: "bold", isFilled: true, border: "bottom", wraps: true, horizontal: "right" },
  amount: { format: AMOUNT },
  /** Any length: the spreadsheet shows as many digits as fit into the column. */
  general: { format: GENERAL },
  whole: { format: WHOLE },
  time: { format: TIME },
  textTotal: { format: TEXT, font: "bold", border: "top" },
  amountTotal: { format: AMOUNT, font: "bold", border: "top" },
  generalTotal: { format: GENERAL, font: "bold", border: "top" },
  wholeTotal: { format: WHOLE, font: "bold", border: "top" },
} as const satisfies Readonly<Record<string, Look>>;

export type Style = keyof typeof LOOKS;

/** The height of a row with one line, in points. */
export const LINE_POINTS = 15;

/**
 * The height that a row needs to show a text whole in a column of `width` characters, in points. Not every
 * spreadsheet finds that out itself.
 */
export function pointsOf(text: string, style: Style, width: number): number {
  const { font = "plain", wraps }: Look = LOOKS[style];
  if (!wraps) {
    return LINE_POINTS;
  }
  const { room, points } = FONTS[font];
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(Math.ceil(line.length / width / room), 1), 0);
  return Math.min(lines * points, MOST_POINTS);
}

/** The highest possible row. */
const MOST_POINTS = 405;

const STYLES = Object.keys(LOOKS);

/** The index of each style in styles.xml. Index 0 is for cells without a style. */
export const STYLE_INDEX = Object.fromEntries(STYLES.map((style, at) => [style, at + 1])) as Readonly<
  Record<Style, number>
>;

/** The format fixes the first two. */
const FILL_XML =
  '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE7E6E6"/><bgColor indexed="64"/></patternFill></fill>';

const BORDER_XML =
  "<border><left/><right/><top/><bottom/><diagonal/></border>" +
  '<border><left/><right/><top style="thin"/><bottom/><diagonal/></border>' +
  '<border><left/><right/><top/><bottom style="thin"/><diagonal/></border>';

/** xl/styles.xml, without its declaration. */
export function stylesXml(namespace: string): string {
  const formats = FORMATS.map(([id, code]) => `<numFmt numFmtId="${id}" formatCode="${code}"/>`);
  const fonts = Object.values(FONTS).map(({ xml }) => xml);
  const xfs = Object.values<Look>(LOOKS).map(xf);
  return [
    `<styleSheet xmlns="${namespace}">`,
    `<numFmts count="${formats.length}">${formats.join("")}</numFmts>`,
    `<fonts count="${fonts.length}">${fonts.join("")}</fonts>`,
    `<fills count="3">${FILL_XML}</fills>`,
    `<borders count="${BORDERS.length}">${BORDER_XML}</borders>`,
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${xfs.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${xfs.join("")}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
    "</styleSheet>",
  ].join("");
}

function xf({ format, font = "plain", isFilled = false, border = "none", horizontal, wraps = false }: Look): string {
  const attributes = `numFmtId="${format}" fontId="${FONT_NAMES.indexOf(font)}" fillId="${isFilled ? 2 : 0}" borderId="${BORDERS.indexOf(border)}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1"`;
  const isRight = format !== TEXT || horizontal === "right";
  return `<xf ${attributes}><alignment horizontal="${isRight ? "right" : "left"}"${isRight ? "" : ' indent="1"'} vertical="top"${wraps ? ' wrapText="1"' : ""}/></xf>`;
}

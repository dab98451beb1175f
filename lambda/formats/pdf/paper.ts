import {
  beginText,
  endText,
  lineTo,
  moveTo,
  PageSizes,
  PDFDocument,
  type PDFFont,
  type PDFName,
  type PDFOperator,
  type PDFPage,
  StandardFonts,
  setFillingRgbColor,
  setFontAndSize,
  setLineWidth,
  setStrokingRgbColor,
  setTextMatrix,
  showText,
  stroke,
} from "pdf-lib";

/** Red, green and blue, each from 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number];

export interface TextStyle {
  /** In points, like all lengths here. */
  readonly size: number;
  readonly face: "plain" | "bold";
  readonly colour: Colour;
}

/** The only page of a document. Its origin is the upper left corner. */
export interface Paper {
  readonly width: number;
  readonly height: number;
  /** The text as it is printed. The fonts have the characters of Windows-1252; others become `?`. */
  printable(text: string): string;
  /** The printed width. Viewers do not kern these fonts. */
  widthOf(printable: string, style: TextStyle): number;
  /** `top`: of the line, which is as high as the size of its letters. */
  text(printable: string, at: { readonly x: number; readonly top: number }, style: TextStyle): void;
  rule(at: { readonly x: number; readonly top: number }, width: number, colour: Colour): void;
}

interface Document {
  readonly title: string;
  readonly author: string;
  /** The time of making, ms UTC. */
  readonly time: number;
}

/** A PDF of one A4 page. Equal drawings give equal bytes. */
export async function paperOf({ title, author, time }: Document, draw: (paper: Paper) => void): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false }); // which would be the library's name and the clock's time
  const date = new Date(time);
  document.setTitle(title.toWellFormed(), { showInWindowTitleBar: true });
  document.setCreator(author);
  document.setProducer(author);
  document.setCreationDate(date);
  document.setModificationDate(date);
  document.setLanguage("en");
  const page = document.addPage(PageSizes.A4);
  const plain = faceOf(page, await document.embedFont(StandardFonts.Helvetica));
  const bold = faceOf(page, await document.embedFont(StandardFonts.HelveticaBold));
  draw(pagePaper(page, { plain, bold }));
  return await document.save({ useObjectStreams: false });
}

interface Face {
  readonly font: PDFFont;
  readonly key: PDFName;
  /** The width of each character at a size of one point. */
  readonly widths: ReadonlyMap<string, number>;
}

function faceOf(page: PDFPage, font: PDFFont): Face {
  const signs = font.getCharacterSet().map((code) => String.fromCodePoint(code));
  return {
    font,
    key: page.node.newFontDictionary(font.name, font.ref),
    widths: new Map(signs.map((sign) => [sign, font.widthOfTextAtSize(sign, 1)])),
  };
}

const REPLACEMENT = "?";
/** From the top of a line to its baseline, as a fraction of its height. */
const ASCENT = 0.78;
const RULE_WIDTH = 0.5;

function pagePaper(page: PDFPage, faces: Readonly<Record<TextStyle["face"], Face>>): Paper {
  const { widths } = faces.plain;
  const { width: pageWidth, height: pageHeight } = page.getSize();
  const draw = (...operators: readonly PDFOperator[]) => page.pushOperators(...operators);
  return {
    width: pageWidth,
    height: pageHeight,
    // A minus sign becomes a hyphen, so that a figure can be copied as a number.
    printable: (text) =>
      Array.from(text.replaceAll("−", "-"), (sign) => (widths.has(sign) ? sign : REPLACEMENT)).join(""),
    widthOf: (text, { size, face }) =>
      Array.from(text).reduce((sum, sign) => sum + (faces[face].widths.get(sign) ?? 0), 0) * size,
    text: (text, { x, top }, { size, face, colour }) => {
      const { font, key } = faces[face];
      draw(
        beginText(),
        setFillingRgbColor(...colour),
        setFontAndSize(key, size),
        setTextMatrix(1, 0, 0, 1, x, pageHeight - top - ASCENT * size),
        showText(font.encodeText(text)),
        endText(),
      );
    },
    rule: ({ x, top }, width, colour) => {
      const y = pageHeight - top;
      draw(setStrokingRgbColor(...colour), setLineWidth(RULE_WIDTH), moveTo(x, y), lineTo(x + width, y), stroke());
    },
  };
}

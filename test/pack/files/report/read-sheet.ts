import { inflateSync } from "node:zlib";

/** One run of text that our PDF prints. */
export interface Run {
  readonly text: string;
  readonly font: string;
  readonly size: number;
  readonly x: number;
  /** Distance from the bottom of the page. */
  readonly y: number;
}

const WINDOWS_1252 = new TextDecoder("windows-1252");

/** In drawing order. */
export function readSheet(bytes: Buffer): readonly Run[] {
  const source = bytes.toString("latin1");
  const streams = [...source.matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/g)].map((match) => {
    const start = match.index + match[0].length;
    return inflateSync(bytes.subarray(start, start + Number(match[1]))).toString("latin1");
  });
  const runs = /\/(?<font>\S+) (?<size>\S+) Tf\s+1 0 0 1 (?<x>\S+) (?<y>\S+) Tm\s+<(?<hex>[0-9A-F]*)> Tj/g;
  return streams.flatMap((stream) =>
    [...stream.matchAll(runs)].map(({ groups: { font = "", size, x, y, hex = "" } = {} }) => ({
      text: WINDOWS_1252.decode(Buffer.from(hex, "hex")),
      font: font.replace(/-\d+$/, ""),
      size: Number(size),
      x: Number(x),
      y: Number(y),
    })),
  );
}

/** All text, without the marks of lists. */
export function sheetText(bytes: Buffer): string {
  return readSheet(bytes)
    .map(({ text }) => text)
    .filter((text) => !/^(?:•|\d\.)$/.test(text))
    .join(" ");
}

/** The text of the page's statement, as a PDF prints it. */
export function statementText(page: string): string {
  const [statement = ""] = /<header [\s\S]*<\/header>/.exec(page) ?? [];
  return statement
    .replaceAll(/<span aria-hidden="true">.<\/span>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll("−", "-")
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** Lines break at other places on paper. */
export function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

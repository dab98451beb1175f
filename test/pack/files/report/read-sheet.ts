import { inflateSync } from "node:zlib";

/** What a PDF of ours prints at once. */
export interface Run {
  readonly text: string;
  readonly font: string;
  readonly size: number;
  readonly x: number;
  /** From the foot of the page. */
  readonly y: number;
}

const WINDOWS_1252 = new TextDecoder("windows-1252");

/** In the order in which it is drawn. */
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

/** All of it, without the marks of lists. */
export function sheetText(bytes: Buffer): string {
  return readSheet(bytes)
    .map(({ text }) => text)
    .filter((text) => !/^(?:•|\d\.)$/.test(text))
    .join(" ");
}

/** What the page's statement says, as a PDF prints it: text alone. */
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

/** Lines end elsewhere on paper. */
export function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}

const COLUMNS = 100;
const ROWS = 28;
const LINE_PX = 18;
const LETTER_PX = 7.83; // width of a letter in a monospaced font of 13 px
const MARGIN_PX = 16;

/** The last lines of a terminal's text, as an SVG. */
export function terminalSvg(text: string, title: string): string {
  const lines = text.trim().split("\n").flatMap(wrapped).slice(-ROWS);
  const width = Math.ceil(2 * MARGIN_PX + COLUMNS * LETTER_PX);
  const height = 2 * MARGIN_PX + lines.length * LINE_PX;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9;white-space:pre}
.c{fill:#7ee787}.t{fill:#79c0ff;font-weight:bold}
</style>
<rect width="100%" height="100%" rx="8" fill="#11161d"/>
${lines.map(lineText).join("\n")}
</svg>
`;
}

/** The line in pieces of at most COLUMNS letters, broken between words. */
function wrapped(line: string): readonly string[] {
  return line.match(new RegExp(`.{1,${COLUMNS}}(?: |$)|.{1,${COLUMNS}}`, "g")) ?? [""];
}

function lineText(line: string, at: number): string {
  const look = line.startsWith("── ") ? ' class="t"' : "";
  const colour = line.startsWith("$ ") ? ' class="c"' : look;
  return `<text x="${MARGIN_PX}" y="${MARGIN_PX + (at + 1) * LINE_PX - 4}"${colour}>${escaped(line)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/**
 * Turns a terminal's text into an animated SVG. It scrolls without a script. If the viewer prefers no motion,
 * it shows the end.
 */

const COLUMNS = 100;
const ROWS = 26;
const LINE_PX = 18;
const LETTER_PX = 7.83; // width of a letter in a monospaced font of 13 px
const MARGIN_PX = 16;
const BAR_PX = 30;

/** Seconds that a screen stays before the next line scrolls in. */
const SECONDS = { step: 1.5, command: 0.8, line: 0.07, end: 6 } as const;

interface Look {
  readonly background: string;
  readonly text: string;
  readonly command: string;
  readonly title: string;
}

const LOOK: Look = { background: "#11161d", text: "#c9d1d9", command: "#7ee787", title: "#79c0ff" };

export function terminalSvg(text: string, title: string): string {
  const lines = text.trim().split("\n").flatMap(wrapped);
  const width = Math.ceil(2 * MARGIN_PX + COLUMNS * LETTER_PX);
  const height = BAR_PX + ROWS * LINE_PX + MARGIN_PX;
  const { frames, seconds } = scrolled(lines);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${LOOK.text};white-space:pre}
.c{fill:${LOOK.command}}.t{fill:${LOOK.title};font-weight:bold}
#s{transform:translateY(${-offset(lines.length)}px)}
@media (prefers-reduced-motion:no-preference){#s{animation:s ${seconds.toFixed(2)}s step-end infinite}}
@keyframes s{${frames.join("")}}
</style>
<rect width="100%" height="100%" rx="8" fill="${LOOK.background}"/>
<circle cx="20" cy="15" r="5" fill="#ff5f56"/><circle cx="38" cy="15" r="5" fill="#ffbd2e"/><circle cx="56" cy="15" r="5" fill="#27c93f"/>
<svg y="${BAR_PX}" width="${width}" height="${ROWS * LINE_PX}"><g id="s">
${lines.map((line, at) => lineText(line, at)).join("\n")}
</g></svg>
</svg>
`;
}

/** Breaks a line as a terminal with COLUMNS columns does. */
function wrapped(line: string): readonly string[] {
  const letters = [...line];
  const count = Math.max(1, Math.ceil(letters.length / COLUMNS));
  return Array.from({ length: count }, (_, at) => letters.slice(at * COLUMNS, (at + 1) * COLUMNS).join(""));
}

/** How far the text is scrolled when `count` lines are shown. */
function offset(count: number): number {
  return Math.max(0, count - ROWS) * LINE_PX;
}

/** The first screen, then one more line per frame. */
function scrolled(lines: readonly string[]): { readonly frames: readonly string[]; readonly seconds: number } {
  const starts: { readonly at: number; readonly px: number }[] = [];
  let at = 0;
  for (let count = Math.min(ROWS, lines.length); count <= lines.length; count += 1) {
    starts.push({ at, px: offset(count) });
    at += count === lines.length ? SECONDS.end : secondsAfter(lines[count] ?? "");
  }
  const frames = starts.map(({ at: from, px }) => `${((100 * from) / at).toFixed(3)}%{transform:translateY(${-px}px)}`);
  return { frames: [...frames, `100%{transform:translateY(${-offset(lines.length)}px)}`], seconds: at };
}

function secondsAfter(next: string): number {
  if (next.startsWith("── ")) {
    return SECONDS.step;
  }
  return next.startsWith("$ ") ? SECONDS.command : SECONDS.line;
}

function lineText(line: string, at: number): string {
  return `<text x="${MARGIN_PX}" y="${(at + 1) * LINE_PX - 4}"${lookOf(line)}>${escaped(line)}</text>`;
}

function lookOf(line: string): string {
  if (line.startsWith("── ")) {
    return ' class="t"';
  }
  return line.startsWith("$ ") ? ' class="c"' : "";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

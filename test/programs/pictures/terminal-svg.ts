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

/** Seconds until the next line comes. */
const SECONDS = { step: 2, stop: 2, command: 0.8, line: 0.07, end: 6 } as const;
/** What a run says that was interrupted: the recording rests there. */
const STOPPED = "the run was asked to stop";

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
  const { scrolls, covers, seconds } = played(lines);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${LOOK.text};white-space:pre}
.c{fill:${LOOK.command}}.t{fill:${LOOK.title};font-weight:bold}
#s{transform:translateY(${-offset(lines.length)}px)}
#c{transform:translate(0,${ROWS * LINE_PX}px)}
@media (prefers-reduced-motion:no-preference){#s{animation:s ${seconds.toFixed(2)}s step-end infinite}#c{animation:c ${seconds.toFixed(2)}s step-end infinite}}
@keyframes s{${scrolls.join("")}}
@keyframes c{${covers.join("")}}
</style>
<rect width="100%" height="100%" rx="8" fill="${LOOK.background}"/>
<circle cx="20" cy="15" r="5" fill="#ff5f56"/><circle cx="38" cy="15" r="5" fill="#ffbd2e"/><circle cx="56" cy="15" r="5" fill="#27c93f"/>
<svg y="${BAR_PX}" width="${width}" height="${ROWS * LINE_PX}"><g id="s">
${lines.map((line, at) => lineText(line, at)).join("\n")}
</g><rect id="c" width="100%" height="100%" fill="${LOOK.background}"/></svg>
</svg>
`;
}

/** The line in pieces of at most COLUMNS letters, broken between words where there are any. */
function wrapped(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = [...line];
  while (rest.length > COLUMNS) {
    const space = rest.lastIndexOf(" ", COLUMNS);
    const end = space > 0 ? space : COLUMNS;
    pieces.push(rest.slice(0, end).join(""));
    rest = rest.slice(space > 0 ? end + 1 : end);
  }
  return [...pieces, rest.join("")];
}

/** How far the text is scrolled when `count` lines are shown. */
function offset(count: number): number {
  return Math.max(0, count - ROWS) * LINE_PX;
}

/**
 * The lines come one after another. A cover moves down and lets one more be seen until the screen is full;
 * then the text scrolls.
 */
function played(lines: readonly string[]) {
  const starts: { readonly at: number; readonly count: number }[] = [];
  let seconds = 0;
  for (const [index, line] of lines.entries()) {
    starts.push({ at: seconds, count: index + 1 });
    seconds += secondsAfter(line, lines[index + 1]);
  }
  const share = (at: number) => `${((100 * at) / seconds).toFixed(3)}%`;
  const scroll = (count: number) => `{transform:translateY(${-offset(count)}px)}`;
  const cover = (count: number) => `{transform:translate(0,${Math.min(ROWS, count) * LINE_PX}px)}`;
  const filling = starts.filter(({ count }) => count <= ROWS);
  const scrolling = starts.filter(({ count }) => count > ROWS);
  return {
    covers: [...filling.map(({ at, count }) => share(at) + cover(count)), `100%${cover(lines.length)}`],
    scrolls: [
      `0%${scroll(0)}`,
      ...scrolling.map(({ at, count }) => share(at) + scroll(count)),
      `100%${scroll(lines.length)}`,
    ],
    seconds,
  };
}

function secondsAfter(line: string, next: string | undefined): number {
  if (next === undefined) {
    return SECONDS.end;
  }
  if (next.startsWith("── ")) {
    return SECONDS.step;
  }
  if (line.includes(STOPPED)) {
    return SECONDS.stop;
  }
  return line.startsWith("$ ") || next.startsWith("$ ") ? SECONDS.command : SECONDS.line;
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

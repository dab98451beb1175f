/** A line of a plot. Its points have ascending `x`; both coordinates are positive. */
export interface Line {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Values at which the axes have marks. The smallest and largest marks are the ends of an axis. */
  readonly xMarks: readonly number[];
  readonly yMarks: readonly number[];
  readonly lines: readonly Line[];
}

const [WIDTH, HEIGHT] = [720, 360];
/** The frame of the axes, px. */
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 520, 40, 300];

/**
 * A plot with two logarithmic axes as a self-contained SVG file. It follows the reader's light or dark mode.
 */
export function svgOf({ title, xTitle, yTitle, xMarks, yMarks, lines }: Plot): string {
  const x = scale(xMarks, LEFT, RIGHT);
  const y = scale(yMarks, BOTTOM, TOP);
  const marks = [
    ...xMarks.map(
      (mark) =>
        `<path class="grid" d="M${x(mark)} ${TOP}V${BOTTOM}"/><text x="${x(mark)}" y="${BOTTOM + 18}" text-anchor="middle">${labelOf(mark)}</text>`,
    ),
    ...yMarks.map(
      (mark) =>
        `<path class="grid" d="M${LEFT} ${y(mark)}H${RIGHT}"/><text x="${LEFT - 8}" y="${y(mark) + 4}" text-anchor="end">${labelOf(mark)}</text>`,
    ),
  ];
  const drawn = lines.map(({ name, colour, points }, at) => {
    const path = points.map(([px, py]) => `${x(px)} ${y(py)}`).join("L");
    const dots = points.map(([px, py]) => `<circle cx="${x(px)}" cy="${y(py)}" r="3.5" fill="${colour}"/>`).join("");
    const height = TOP + 8 + at * 24;
    return `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}<path d="M${RIGHT + 16} ${height}h18" stroke="${colour}" stroke-width="3"/><text x="${RIGHT + 40}" y="${height + 4}">${escaped(name)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(title)}">
<style>text { font: 12px system-ui, sans-serif; fill: #333 } .title { font-size: 15px; font-weight: 600 } .grid { stroke: #8886; fill: none } @media (prefers-color-scheme: dark) { text { fill: #ddd } }</style>
<text class="title" x="${LEFT}" y="22">${escaped(title)}</text>
${marks.join("\n")}
${drawn.join("\n")}
<text x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 20}" text-anchor="middle">${escaped(xTitle)}</text>
<text x="16" y="${(TOP + BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 16 ${(TOP + BOTTOM) / 2})">${escaped(yTitle)}</text>
</svg>
`;
}

function scale(marks: readonly number[], from: number, to: number): (value: number) => number {
  const [least, most] = [Math.log(Math.min(...marks)), Math.log(Math.max(...marks))];
  return (value) => Math.round((from + ((Math.log(value) - least) / (most - least)) * (to - from)) * 10) / 10;
}

function labelOf(mark: number): string {
  return mark.toLocaleString("en");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

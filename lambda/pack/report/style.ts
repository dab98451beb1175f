/** Shared by the report and the local page. */
export const LIGHT = `
  --paper: #fff; --ink: #1b2129; --muted: #57616d; --rule: #d5dbe2; --strong-rule: #97a1ad; --soft: #f4f6f9;
  --blue: #1c5c9e; --orange: #a3480a; --grid: #e4e8ed;
  --blue-fill: #3f7fbf; --orange-fill: #cf6a1c; --orange-ground: #fbe6d3;`;

export const DARK = `
  --paper: #13171c; --ink: #e4e8ed; --muted: #a3adb9; --rule: #343c46; --strong-rule: #6b7682; --soft: #1b2027;
  --blue: #82b6ec; --orange: #f1a265; --grid: #2a313a;
  --blue-fill: #5b9ad8; --orange-fill: #e08a45; --orange-ground: #45301f;`;

export const TEXT = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: lining-nums tabular-nums;
}
a { color: var(--blue); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--paper); z-index: 1; }
.page { max-width: 80rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
p, ul, dl, pre { margin: 0 0 1rem; max-width: 46rem; }
ul { padding-left: 1.2rem; }
li { margin-bottom: .25rem; }
code, pre { font: .875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
pre { padding: .6rem .8rem; background: var(--soft); border: 1px solid var(--rule); border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; }
code { white-space: nowrap; }
small, .small { font-size: .75rem; color: var(--muted); }
h1 { font-size: 2rem; line-height: 1.2; font-weight: 650; letter-spacing: -.01em; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.375rem; line-height: 1.3; font-weight: 650; margin: 0 0 1rem; padding-top: 1.25rem; border-top: 2px solid var(--ink); }
h2 .number { color: var(--muted); font-weight: 400; margin-right: .5em; }
h3 { font-size: 1.0625rem; line-height: 1.4; font-weight: 650; margin: 2rem 0 .75rem; }
h4 { font-size: .9375rem; font-weight: 650; margin: 2rem 0 .5rem; }
section { margin-top: 3.5rem; }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--rule); font-size: .8125rem; color: var(--muted); }`;

const CONTENTS = `
nav { font-size: .8125rem; }
nav h2 { font-size: .8125rem; border: 0; padding: 0; margin: 0 0 .5rem; color: var(--muted); }
nav ol { list-style: none; margin: 0; padding: 0; columns: 16rem; }
nav li { margin: 0 0 .3rem; break-inside: avoid; line-height: 1.35; padding-left: 1.6rem; text-indent: -1.6rem; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav .number { display: inline-block; width: 1.6rem; text-indent: 0; color: var(--muted); }
@media (max-width: 40rem) { nav li { margin: 0; } nav a { display: block; padding: .85rem 0; } }
@media (min-width: 72rem) {
  .page { display: grid; grid-template-columns: 11rem minmax(0, 1fr); column-gap: 2.5rem; }
  .page > * { grid-column: 2; }
  .page > nav { grid-column: 1; grid-row: 1 / span 3; position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow: auto; }
  nav ol { columns: auto; }
}`;

export const COVER = `
.brand { margin: 0 0 1.5rem; font-weight: 650; letter-spacing: .02em; color: var(--muted); }
.brand::before { content: ""; display: inline-block; width: .55em; height: .55em; margin-right: .45em; background: var(--blue-fill); box-shadow: .3em -.3em 0 -.05em var(--orange-fill); }
.lead { font-size: 1.0625rem; color: var(--muted); }
.state { max-width: none; padding: .8rem 1rem; border: 1px solid var(--rule); border-left: 6px solid var(--blue-fill); background: var(--soft); border-radius: 4px; }
.state.incomplete { border: 2px solid var(--orange); border-left-width: 10px; }
.state.incomplete strong { color: var(--orange); }
.facts { max-width: none; display: grid; gap: 0; font-size: .875rem; border-top: 1px solid var(--rule); margin-top: 1.5rem; }
.facts > div, .terms > div { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 1rem; padding: .45rem 0; border-bottom: 1px solid var(--rule); }
dt { color: var(--muted); }
dd { margin: 0; min-width: 0; }
.terms { max-width: none; font-size: .875rem; border-top: 1px solid var(--rule); }
.terms dd { max-width: 46rem; }
.terms pre { margin: 0; }
.points { border-left: 6px solid var(--orange-fill); padding: .1rem 1rem .6rem; margin-bottom: 2rem; background: var(--soft); border-radius: 4px; font-size: .9375rem; }
.points h2 { margin: .7rem 0 .4rem; }
.points ul { margin: 0; }
.tiles { max-width: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(12.5rem, 1fr)); gap: 1px; background: var(--rule); border: 1px solid var(--rule); border-radius: 4px; overflow: hidden; }
.tiles > div { background: var(--paper); padding: .8rem 1rem .7rem; }
.tiles dt { font-size: .8125rem; }
.tiles dd { font-size: 1.375rem; font-weight: 600; line-height: 1.35; overflow-wrap: anywhere; }
.tiles .part { display: none; }
.tiles .small { font-size: .75rem; font-weight: 400; }
.unit { font-size: .75rem; font-weight: 400; color: var(--muted); margin-left: .4em; display: inline-block; max-width: 8rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; line-height: 1.9; }
@media screen and (max-width: 40rem) { .facts > div, .terms > div { grid-template-columns: 1fr; gap: 0; } }`;

export const TABLES = `
.scroll { position: relative; overflow-x: auto; margin: 1.5rem 0 .5rem; }
table { border-collapse: collapse; font-size: .8125rem; line-height: 1.4; min-width: min(100%, 46rem); }
caption { text-align: left; font-weight: 650; font-size: .875rem; padding-bottom: .4rem; }
th, td { padding: .28rem .7rem; text-align: left; vertical-align: top; }
th:first-child { padding-left: 0; }
td:last-child, th:last-child { padding-right: .4rem; }
.n { text-align: right; white-space: nowrap; }
thead th { font-weight: 500; color: var(--muted); vertical-align: bottom; }
thead th { border-bottom: 1px solid var(--strong-rule); }
tbody th { font-weight: 400; white-space: nowrap; }
tbody th, td:not(.n) { max-width: 22rem; overflow-wrap: break-word; }
tbody tr { border-bottom: 1px solid var(--rule); }
tbody tr:nth-child(even) { background: var(--soft); }
tfoot th, tfoot td { font-weight: 650; border-top: 1px solid var(--strong-rule); }
td small, tbody th small { display: block; font-size: .9em; line-height: 1.3; white-space: normal; }
.n data { display: inline-block; padding-right: .75em; }
.gain { color: var(--blue); }
.loss { color: var(--orange); }
time { white-space: nowrap; }
.unknown { color: var(--muted); font-style: italic; white-space: nowrap; }
.part { position: absolute; font-size: .85em; line-height: 1; margin-left: .1em; color: var(--muted); }
.equal, .differs { white-space: nowrap; }
.differs { color: var(--orange); }
.ids { font-size: .6875rem; line-height: 1.45; }
.ids > span { display: block; white-space: nowrap; }
.note, .empty { font-size: .8125rem; color: var(--muted); margin-bottom: 1.5rem; }
.empty { font-style: italic; }
@media screen and (max-width: 40rem) { tbody th { white-space: normal; max-width: 10.5rem; } }
details { margin: .25rem 0 1.5rem; font-size: .8125rem; }
summary { cursor: pointer; color: var(--blue); padding: .2rem 0; }
details .scroll { max-height: 28rem; overflow: auto; margin-top: .5rem; }
details thead th { position: sticky; top: 0; background: var(--paper); }`;

export const CHARTS = `
figure { margin: 1.75rem 0 1rem; }
figcaption { font-weight: 650; font-size: .875rem; margin-bottom: .5rem; }
.drawing { overflow-x: auto; }
svg { display: block; width: 100%; height: auto; max-width: 34rem; }
svg text { font-size: 11px; fill: var(--muted); unicode-bidi: isolate; }
svg .mark { fill: var(--ink); font-size: 11px; font-weight: 600; }
svg .grid { stroke: var(--grid); fill: none; }
svg .zero { stroke: var(--strong-rule); fill: none; }
.fill-blue { fill: var(--blue-fill); } .fill-orange { fill: var(--orange-fill); }
.ground-orange { fill: var(--orange-ground); }
svg .line-orange { stroke: var(--orange-fill); }
svg .strong { stroke: var(--blue-fill); stroke-width: 1.25; fill: none; stroke-linejoin: round; }
svg .dashed { stroke: var(--muted); stroke-width: 1.25; stroke-dasharray: 4 3; fill: none; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 0 2rem; align-items: start; }`;

const STATEMENT = `
.cover h2 { font-size: 1.0625rem; border: 0; padding: 0; margin: 1.5rem 0 .5rem; } .cover .points h2 { margin: .7rem 0 .4rem; }
.cover tbody th, #notes-table th { white-space: normal; }
.cover [data-row="fees-unknown"] th { padding-left: 1rem; }
.q { white-space: normal; }
th, td { padding-left: .55rem; padding-right: .55rem; }
.n .unknown { display: inline-block; } .n data, .n .unknown { padding-right: .6em; }
.proof ul { margin: 0; padding-left: 1.2rem; font-size: .875rem; }
.proof li { overflow-wrap: anywhere; }
.signatures { display: none; }
`;

/** On a phone a wide table is read line by line, so that nothing scrolls sideways. */
const CARDS = `
@media screen and (max-width: 48rem) {
  table { min-width: 100%; font-size: .75rem; } th, td { padding-left: .35rem; padding-right: .35rem; } .n { padding-left: 0; }
  tbody th { white-space: normal; max-width: none; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards table, .cards caption, .cards tbody, .cards tfoot, .cards tr, .cards th, .cards td { display: block; }
  .cards tr { padding: .4rem 0; }
  .cards tbody th, .cards tfoot th { padding: 0 .35rem .1rem; font-weight: 650; }
  .cards td, .cards td:not(.n) { display: flex; justify-content: space-between; gap: 1rem; max-width: none; padding: .1rem .9rem .1rem .35rem; text-align: right; overflow-wrap: anywhere; position: relative; }
  .cards tfoot td { border-top: 0; }
  .cards td::before { content: attr(data-label); color: var(--muted); font-weight: 400; text-align: left; white-space: normal; max-width: 62%; }
  .cards td > :first-child { margin-left: auto; } .cards .n data, .cards .n .unknown { padding-right: 0; } .cards .part { right: 0; } thead .n { white-space: normal; }
  .cards td:empty { display: none; }
  .ids > span { white-space: normal; }
}
`;

const PAPER = `
@page { size: A4; margin: 12mm 13mm 14mm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 7.5pt sans-serif; color: #57616d; } }
@media print {
  :root { color-scheme: light; ${LIGHT} }
  html { font-size: 7.8pt; }
  .page { display: block; max-width: none; padding: 0; }
  .skip, details:not([open]), details > summary { display: none; }
  nav, .brand, body > .page > footer { display: none; }
  .cover { break-after: page; } #charts { margin-top: 0; } .cover h2 { margin: 4mm 0 1.5mm; }
  .cover .facts { font-size: 8pt; margin-top: 3mm; } .cover .facts > div { padding: 1.6pt 0; } .cover .points { font-size: 8pt; margin: 3mm 0; padding-bottom: 2pt; } .points li, .proof li { margin: 0; }
  .cover table { font-size: 7.2pt; } .cover th, .cover td { padding: 1.6pt 3pt; } .cover .scroll { margin: 2mm 0 1mm; } .cover .note { margin: 0; } .proof ul { font-size: 8pt; }
  .signatures { display: grid; grid-template-columns: 2fr 2fr 1fr; gap: 8mm; margin-top: 14mm; } .signatures p { border-top: 1px solid var(--ink); padding-top: 1mm; margin: 0; font-size: 8pt; }
  .scroll, .drawing, details .scroll { overflow: visible; max-height: none; }
  h2, h3, h4, caption, figcaption, section > p { break-after: avoid; }
  tfoot { break-before: avoid; }
  .note { break-before: avoid; }
  p, figure, .short, .tiles, .state, .points, .facts > div, .terms > div, tr, li { break-inside: avoid; }
  thead { display: table-header-group; } tfoot { display: table-row-group; }
  section { margin-top: 5mm; } h2 { margin-bottom: 2mm; padding-top: 3mm; } h3 { margin: 3mm 0 1mm; } .scroll { margin: 2mm 0 1mm; } figure { margin: 2mm 0 1mm; } .ids > span { display: inline; margin-right: .6em; } .note { margin-bottom: 2mm; } p, ul { margin-bottom: 2mm; max-width: none; } .note, .empty { font-size: 6.8pt; } .terms, .assumptions { font-size: 7.2pt; } .terms dd { max-width: none; } .terms > div { padding: 1.5pt 0; } .assumptions li { margin: 0; }
  table { font-size: 6.5pt; line-height: 1.3; min-width: 100%; } td:not(.n), tbody th { max-width: none; } td small, tbody th small { display: inline; white-space: nowrap; } pre { padding: 1mm 2mm; }
  th, td { padding: 1.1pt 4pt; }
  .ids { font-size: 6pt; }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(42mm, 1fr)); } .tiles dd { font-size: 12pt; } .tiles dd.small { font-size: 6.8pt; }
  .pair { grid-template-columns: 1fr 1fr; }
  a { color: inherit; text-decoration: none; }
  tbody tr:nth-child(even), .brand::before, .fill-blue, rect, path { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}`;

/**
 * The page's only style sheet. Everything with a hue also has a sign, a pattern or a word, so nothing depends
 * on colour alone. Paper gets the light colours.
 */
export const STYLE = `:root { color-scheme: light dark; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
${TEXT}${CONTENTS}${COVER}${TABLES}${CHARTS}${STATEMENT}${CARDS}${PAPER}
`;

/** The head and the foot of each printed sheet: whose it is, and its period. */
export function sheetStyle(whose: string, isComplete: boolean): string {
  const mark = isComplete
    ? ""
    : ' @top-center { content: "INCOMPLETE: do not file from this statement"; font: bold 9pt sans-serif; color: #a3480a; }';
  return `@page { @bottom-left { content: ${cssString(whose)}; font: 7.5pt sans-serif; color: #57616d; }${mark} }
`;
}

/**
 * Text from outside in a style sheet. Everything but plain letters is escaped, so that nothing in it ends the
 * string or the element.
 */
function cssString(text: string): string {
  const escaped = Array.from(text.toWellFormed(), (sign) =>
    /[\w ,:.-]/.test(sign) ? sign : `\\${sign.codePointAt(0)?.toString(16)} `,
  );
  return `"${escaped.join("")}"`;
}

/** Shared by the report and the local page. */
export const LIGHT = `
  --paper: #fff; --ink: #1b2129; --muted: #57616d; --rule: #d5dbe2; --strong-rule: #97a1ad; --soft: #f4f6f9;
  --blue: #1c5c9e; --orange: #a3480a; --blue-fill: #3f7fbf; --orange-fill: #cf6a1c;`;

export const DARK = `
  --paper: #13171c; --ink: #e4e8ed; --muted: #a3adb9; --rule: #343c46; --strong-rule: #6b7682; --soft: #1b2027;
  --blue: #82b6ec; --orange: #f1a265; --blue-fill: #5b9ad8; --orange-fill: #e08a45;`;

export const TABLES = `
.scroll { position: relative; overflow-x: auto; margin: 1.5rem 0 .5rem; }
table { border-collapse: collapse; font-size: .8125rem; line-height: 1.4; min-width: min(100%, 46rem); }
caption { text-align: left; font-weight: 650; font-size: .875rem; padding-bottom: .4rem; }
th, td { padding: .28rem .55rem; text-align: left; vertical-align: top; }
th:first-child { padding-left: 0; }
.n { text-align: right; white-space: nowrap; }
thead th { font-weight: 500; color: var(--muted); vertical-align: bottom; border-bottom: 1px solid var(--strong-rule); }
tbody th { font-weight: 400; white-space: nowrap; }
tbody th, td:not(.n) { max-width: 22rem; overflow-wrap: break-word; }
tbody tr { border-bottom: 1px solid var(--rule); }
tbody tr:nth-child(even) { background: var(--soft); }
tfoot th, tfoot td { font-weight: 650; border-top: 1px solid var(--strong-rule); }
.n data { display: inline-block; padding-right: .75em; }
.gain { color: var(--blue); }
.loss { color: var(--orange); }
time { white-space: nowrap; }
.unknown { color: var(--muted); font-style: italic; white-space: nowrap; }
.part { position: absolute; font-size: .85em; line-height: 1; margin-left: .1em; color: var(--muted); }
.note, .empty { font-size: .8125rem; color: var(--muted); margin-bottom: 1.5rem; }
.empty { font-style: italic; }`;

const TEXT = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
  font-variant-numeric: lining-nums tabular-nums;
}
a { color: var(--blue); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--paper); z-index: 1; }
.page { max-width: 66rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
p, ul, dl, pre { margin: 0 0 1rem; max-width: 46rem; }
ul { padding-left: 1.2rem; }
code, pre { font: .875em/1.5 ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
pre { padding: .6rem .8rem; background: var(--soft); border: 1px solid var(--rule); white-space: pre-wrap; }
h1 { font-size: 2rem; line-height: 1.2; font-weight: 650; margin: 0 0 .25rem; }
h2 { font-size: 1.375rem; line-height: 1.3; font-weight: 650; margin: 0 0 1rem; padding-top: 1.25rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.0625rem; font-weight: 650; margin: 2rem 0 .75rem; }
.number { color: var(--muted); margin-right: .5em; }
section, footer { margin-top: 3.5rem; }
footer, nav { font-size: .8125rem; color: var(--muted); }
nav ol { list-style: none; margin: 0; padding: 0; columns: 16rem; }
nav a { display: block; padding: .3rem 0; color: inherit; }
.facts { max-width: none; font-size: .875rem; border-top: 1px solid var(--rule); }
.facts > div { display: grid; grid-template-columns: 12rem minmax(0, 1fr); gap: 1rem; padding: .45rem 0; border-bottom: 1px solid var(--rule); }
dt { color: var(--muted); }
dd { margin: 0; }
figure { margin: 1.75rem 0 1rem; }
figcaption { font-weight: 650; font-size: .875rem; margin-bottom: .5rem; }
svg { display: block; width: 100%; height: auto; max-width: 34rem; }
svg text { font-size: 11px; fill: var(--muted); }
.grid { stroke: var(--rule); }
.zero { stroke: var(--strong-rule); }
.fill-blue { fill: var(--blue-fill); }
.fill-orange { fill: var(--orange-fill); }`;

const COVER = `
.brand { margin: 0 0 1.5rem; font-weight: 650; color: var(--muted); }
.brand::before { content: ""; display: inline-block; width: .55em; height: .55em; margin-right: .45em; background: var(--blue-fill); box-shadow: .3em -.3em 0 -.05em var(--orange-fill); }
.lead { font-size: 1.0625rem; color: var(--muted); }
.state, .points { max-width: none; padding: .8rem 1rem; border-left: 6px solid var(--blue-fill); background: var(--soft); }
.points { border-color: var(--orange-fill); margin-bottom: 2rem; }
.state.incomplete { border: 2px solid var(--orange); border-left-width: 10px; }
.state.incomplete strong { color: var(--orange); }
.cover h2 { font-size: 1.0625rem; border: 0; padding: 0; margin: 1.5rem 0 .5rem; }
.cover .points h2 { margin: 0 0 .4rem; }
.cover tbody th, thead .n, .q { white-space: normal; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 0 2rem; }
.signatures { display: none; }`;

/** On a phone a wide table is read line by line, so that nothing scrolls sideways. */
const PHONE = `
@media screen and (max-width: 48rem) {
  table { min-width: 100%; font-size: .75rem; }
  .facts > div { display: block; }
  nav a { padding: .85rem 0; }
  tbody th, time { white-space: normal; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards table, .cards caption, .cards tbody, .cards tfoot, .cards tr, .cards th, .cards td { display: block; }
  .cards tbody th, .cards tfoot th { font-weight: 650; max-width: none; }
  .cards td { display: flex; justify-content: space-between; gap: 1rem; max-width: none; text-align: right; overflow-wrap: anywhere; position: relative; }
  .cards td::before { content: attr(data-label); color: var(--muted); font-weight: 400; text-align: left; white-space: normal; }
}`;

const PAPER = `
@page { size: A4; margin: 12mm 13mm 14mm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 7.5pt sans-serif; color: #57616d; } }
@media print {
  :root { color-scheme: light; ${LIGHT} }
  html { font-size: 7.8pt; }
  .page { max-width: none; padding: 0; }
  .skip, nav, .brand, body > .page > footer { display: none; }
  .cover { break-after: page; }
  .signatures { display: grid; grid-template-columns: 2fr 2fr 1fr; gap: 8mm; margin-top: 14mm; }
  .signatures p { border-top: 1px solid var(--ink); padding-top: 1mm; }
  p, ul, dl { max-width: none; margin-bottom: 2mm; }
  section { margin-top: 5mm; }
  h2, h3, .cover h2, .scroll, figure { margin: 3mm 0 1.5mm; }
  .scroll { overflow: visible; }
  table { font-size: 6.5pt; line-height: 1.3; min-width: 100%; }
  .cover table { font-size: 7.2pt; }
  th, td { padding: 1.1pt 4pt; }
  td:not(.n), tbody th { max-width: none; }
  .facts > div { padding: 1.6pt 0; }
  svg { max-width: 110mm; }
  .pair { grid-template-columns: 1fr 1fr; }
  h2, h3, caption, figcaption, section > p { break-after: avoid; }
  tfoot, .note { break-before: avoid; }
  p, figure, .short, .points, .facts > div, tr, li { break-inside: avoid; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  a { color: inherit; text-decoration: none; }
  tbody tr, .state, .points, rect { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}`;

/**
 * The page's only style sheet. Everything with a hue also has a sign or a word, so nothing depends on colour alone.
 * Paper gets the light colours.
 */
export const STYLE = `:root { color-scheme: light dark; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root { ${DARK} } }
${TEXT}${TABLES}${COVER}${PHONE}${PAPER}
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

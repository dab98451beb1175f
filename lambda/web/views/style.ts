import { DARK, LIGHT } from "../../pack/report/style.ts";

/** Distances; each is about half as large again as the one before. */
const SPACE = "--s1: .25rem; --s2: .5rem; --s3: .75rem; --s4: 1.25rem; --s5: 2rem; --s6: 2.75rem;";

/** The report's colours, and the page's own parts. `ground`: the colour behind cards. */
export const STYLE = `
:root { color-scheme: light dark; ${SPACE} --ground: #f3f5f8; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1014; ${DARK} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; font-variant-numeric: lining-nums tabular-nums; overflow-wrap: anywhere; }
a { color: var(--blue); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
main:focus { outline: none; }
p, ul, ol, dl, pre { margin: 0 0 var(--s2); }
p { max-width: 44rem; }
h1 { font-size: 1.75rem; line-height: 1.2; font-weight: 650; margin: 0 0 var(--s3); }
h2 { font-size: 1.25rem; line-height: 1.3; font-weight: 650; margin: 0 0 var(--s3); }
h3 { font-size: 1rem; font-weight: 650; margin: var(--s4) 0 var(--s2); }
section { margin-top: var(--s6); }
code, pre { font: .875em/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
small, .about, .note, .empty, .size, .who, footer { font-size: .8125rem; color: var(--muted); }
.lead { color: var(--muted); margin-bottom: var(--s4); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; display: block; padding: var(--s3); }
/* frame */
header { background: var(--paper); border-bottom: 1px solid var(--rule); }
.inner { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 0 var(--s4); }
.inner, main, footer { max-width: 66rem; margin: 0 auto; padding: 0 var(--s3); }
main { padding-top: var(--s5); padding-bottom: var(--s6); }
footer { padding-bottom: var(--s6); }
.brand { margin: 0; font-weight: 650; }
.brand a { display: inline-flex; align-items: center; min-height: 2.75rem; color: inherit; text-decoration: none; }
.brand a::before { content: ""; width: .55em; height: .55em; margin-right: .6em; background: var(--blue-fill); box-shadow: .3em -.3em 0 -.05em var(--orange-fill); }
nav { grid-column: 1 / -1; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 var(--s4); list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .65rem 0; font-size: .9375rem; color: inherit; text-decoration: none; border-bottom: 3px solid transparent; }
nav a:hover { border-color: var(--strong-rule); }
nav [aria-current] { border-color: var(--blue-fill); font-weight: 650; }
@media (max-width: 30rem) { .wide { display: none; } nav ul { gap: 0 .6rem; } nav a { font-size: .875rem; } }
@media (min-width: 48rem) { .inner, main, footer { padding-left: var(--s5); padding-right: var(--s5); } h1 { font-size: 2rem; } }
/* parts */
.card, .notice, .rows, .groups { background: var(--paper); border: 1px solid var(--rule); border-radius: 6px; }
.card { padding: var(--s4); margin: 0 0 var(--s4); }
.card > :last-child, .notice > :last-child, .card .actions { margin-bottom: 0; }
.cards { list-style: none; padding: 0; }
.cards h2 { margin-bottom: var(--s1); }
.cards .about { margin-bottom: var(--s3); }
.notice { padding: var(--s3) var(--s4); margin: 0 0 var(--s4); border-left: 6px solid var(--strong-rule); }
.notice p, .notice ul { margin-bottom: var(--s1); max-width: none; }
.notice.good { border-left-color: var(--blue-fill); }
.notice.warn { border: 2px solid var(--orange); border-left-width: 8px; }
.notice form { margin-top: var(--s2); }
.warn > strong, .notice.warn > p:first-child strong, strong.warn { color: var(--orange); }
.actions { display: flex; flex-wrap: wrap; gap: var(--s2) var(--s3); align-items: center; margin: var(--s4) 0; }
.nets { display: grid; gap: var(--s3); grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 18rem)); }
dt { font-size: .8125rem; color: var(--muted); }
dd { margin: 0; min-width: 0; }
.nets dd { font-size: 1.5rem; font-weight: 600; line-height: 2rem; }
.nets data { white-space: nowrap; }
.rows .nets { flex: 1 1 100%; margin: 0; gap: 0 var(--s3); }
.rows .nets dd { font-size: 1rem; line-height: 1.5rem; }
.field small { display: block; font-weight: 400; line-height: 1.4; }
.facts { margin: 0; font-size: .875rem; }
.facts > div { display: grid; gap: 0 var(--s4); padding: var(--s2) 0; border-bottom: 1px solid var(--rule); }
@media (min-width: 40rem) { .facts > div { grid-template-columns: 11rem minmax(0, 1fr); } }
.tag { display: inline-block; padding: 0 .5em; border: 1px solid var(--rule); border-radius: 4px; background: var(--soft); font-size: .8125rem; line-height: 1.5; font-weight: 400; white-space: nowrap; }
.tag.good { border-color: var(--blue-fill); color: var(--blue); white-space: normal; }
.tag.warn { border-color: var(--orange-fill); color: var(--orange); font-weight: 650; white-space: normal; }
.rows { list-style: none; padding: 0 var(--s4); margin-bottom: var(--s4); }
.rows > li { display: flex; flex-wrap: wrap; gap: 0 var(--s3); align-items: center; min-height: 2.75rem; padding: var(--s1) 0 var(--s2); border-bottom: 1px solid var(--rule); }
.rows > li:last-child { border-bottom: 0; }
.rows p, [data-period] > p { margin: 0; max-width: none; }
.card > :is(p, .points):not(.name) { margin-bottom: var(--s3); }
.packs .name, .jobs .name, .card .name { flex: 1 1 100%; font-weight: 650; }
.name > a, .rows > li > a { display: inline-block; padding: .65rem 0; }
:is(.cards h2, .cards p, .facts dd, .about, .note) > a:not(.button, .note > :not([rel])) { display: inline-block; padding: .8rem 0; margin: -.4rem 0; }
.size { white-space: nowrap; }
.groups { padding: 0 var(--s4); }
.groups details + details { border-top: 1px solid var(--rule); }
.groups .rows { border: 0; padding: 0; margin: 0; }
.files .name, .what { flex: 1 1 100%; }
@media (min-width: 48rem) { .files > li { display: grid; grid-template-columns: 15rem minmax(0, 1fr) 5rem; } .files .size { text-align: right; } }
.points { padding-left: 1.2rem; }
.rows .points { flex: 1 1 100%; font-size: .875rem; }
.hashes { padding: var(--s3); background: var(--soft); border: 1px solid var(--rule); border-radius: 4px; white-space: pre-wrap; }
/* forms */
form { margin: 0; }
label { font-weight: 650; font-size: .875rem; padding: 0; }
.field { display: grid; gap: var(--s1); margin: 0 0 var(--s4); max-width: 26rem; }
input, select { width: 100%; min-height: 2.75rem; padding: .4rem .6rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--strong-rule); border-radius: 4px; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .4rem 1.1rem; font: inherit; font-weight: 650; border: 1px solid var(--blue); border-radius: 4px; text-decoration: none; cursor: pointer; }
.primary { color: var(--paper); background: var(--blue); }
.secondary { color: var(--blue); background: var(--paper); border-color: var(--strong-rule); }
button:hover, .button:hover { text-decoration: underline; }
button:disabled { color: var(--muted); background: var(--soft); border-color: var(--rule); cursor: default; text-decoration: none; }
.quiet { padding: .25rem 0; font-weight: 400; color: var(--blue); background: none; border-color: transparent; text-decoration: underline; text-underline-offset: .15em; }
.who > * { margin-left: var(--s2); }
details { margin: var(--s2) 0; font-size: 1rem; }
summary { cursor: pointer; color: var(--blue); padding: .7rem 0; font-size: .9375rem; }
.groups > details { margin: 0; }
.groups > details > summary { font-weight: 650; padding: .75rem 0; }
.progress { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--s1) var(--s3); align-items: center; max-width: none; }
.progress label { grid-column: 1 / -1; }
progress { width: 100%; height: 1rem; accent-color: var(--blue-fill); }
/* figures and small screens */
.gain { color: var(--blue); }
.loss { color: var(--orange); }
time { white-space: nowrap; }
.unknown { color: var(--muted); font-style: italic; white-space: nowrap; }
.note, .empty { margin-bottom: var(--s3); }
.empty { font-style: italic; }
@media (max-width: 40rem) {
  .card, .notice { padding: var(--s3); }
  .rows, .groups { padding: 0 var(--s3); }
}
`;

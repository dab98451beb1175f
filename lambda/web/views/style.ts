import { CHARTS, COVER, DARK, LIGHT, TABLES, TEXT } from "../../pack/files/report/style.ts";

const PLACES = `
.page { max-width: 64rem; padding: 1.25rem 1rem 3rem; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; }
.brand { margin: 0; }
.brand a { color: inherit; text-decoration: none; }
.who { font-size: .8125rem; color: var(--muted); }
nav { margin: .5rem 0 2rem; border-bottom: 1px solid var(--rule); font-size: .9375rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; margin: 0; padding: 0; max-width: none; }
nav li { margin: 0; }
nav a { display: block; padding: .5rem 0; color: inherit; text-decoration: none; border-bottom: 3px solid transparent; }
nav a:hover { border-color: var(--strong-rule); }
nav [aria-current] { border-color: var(--blue-fill); font-weight: 650; }
main:focus { outline: none; }
header + main { margin-top: 2rem; }
table { overflow-wrap: break-word; }
main tbody th { min-width: 7.5rem; white-space: normal; overflow-wrap: anywhere; }
h1 { font-size: 1.625rem; margin-bottom: 1rem; }
h1 small { font-size: 1rem; font-weight: 400; }
section { margin-top: 2.5rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.state { margin: 0 0 1rem; }
.state p:last-child, .state form, .state ul { margin: 0; }
.state p + form { margin-top: .75rem; }
.gaps { padding-left: 1.2rem; }
.actions { margin: 1.5rem 0; }
.actions .about { margin-left: .75rem; }
iframe { width: 100%; height: 65vh; min-height: 24rem; border: 1px solid var(--rule); border-radius: 4px; background: var(--paper); }
@media (min-width: 48rem) { iframe { height: 85vh; } .page { padding: 1.5rem 2rem 4rem; } h1 { font-size: 2rem; } }`;

const LISTS = `
.rows { list-style: none; padding: 0; margin: 0 0 1rem; max-width: none; border-top: 1px solid var(--rule); font-size: .875rem; }
.rows > li { display: flex; flex-wrap: wrap; gap: .1rem 1rem; align-items: baseline; margin: 0; padding: .6rem 0; border-bottom: 1px solid var(--rule); }
.name { overflow-wrap: anywhere; min-width: 0; }
.about, .size, .sum { color: var(--muted); }
.size { white-space: nowrap; }
.about { font-size: .8125rem; overflow-wrap: anywhere; min-width: 0; }
.periods { list-style: none; padding: 0; max-width: none; }
.periods h3 { margin: 1.25rem 0 .5rem; }
.tag { display: inline-block; padding: 0 .5em; border: 1px solid var(--rule); border-radius: 3px; background: var(--soft); font-size: .8125rem; font-weight: 400; }
.tag.newest { border-color: var(--blue-fill); color: var(--blue); }
.tag.warn { border-color: var(--orange-fill); color: var(--orange); font-weight: 650; }
.cut, .version { display: inline-block; max-width: 10ch; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.cut, .hash { -webkit-user-select: all; user-select: all; }
.version { max-width: 17ch; color: var(--muted); }
a .version { color: inherit; text-decoration: underline; }
.files .name { flex: 1 1 14rem; }
.files .about { flex: 1 1 20rem; }
@media (max-width: 40rem) {
  #sums { table-layout: fixed; width: 100%; }
  #sums :is(th, td) { min-width: 0; white-space: normal; overflow-wrap: anywhere; }
}
@media (min-width: 48rem) {
  .files > li { display: grid; grid-template-columns: 13rem minmax(0, 1fr) 4.5rem 9rem; }
  .downloads > li { display: grid; grid-template-columns: 9.5rem 6rem minmax(0, 1fr) minmax(0, 1fr); }
  .files .size { text-align: right; }
}
@media (min-width: 60rem) {
  .packs > li { display: grid; grid-template-columns: 10rem 12rem 5rem 10rem minmax(0, 1fr); justify-items: start; }
  .packs .size { justify-self: end; }
  .jobs > li { display: grid; grid-template-columns: minmax(0, 1fr) 8rem 11rem 12rem; }
}`;

const FORMS = `
form { margin: 0; }
[role="search"] { display: flex; gap: .75rem; align-items: end; max-width: 36rem; margin-bottom: 1rem; }
[role="search"] .field { flex: 1; margin: 0; }
.make { padding: .5rem 0 1.5rem; }
.field { display: grid; gap: .25rem; margin: 0 0 1rem; max-width: 28rem; }
label { font-weight: 650; font-size: .875rem; }
input, select { width: 100%; min-height: 2.75rem; padding: .4rem .6rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--strong-rule); border-radius: 4px; }
button, .button { display: inline-block; min-height: 2.75rem; padding: .55rem 1.1rem; font: inherit; font-weight: 650; line-height: 1.5; color: var(--paper); background: var(--blue); border: 1px solid var(--blue); border-radius: 4px; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { text-decoration: underline; }
.plain { min-height: 0; padding: .25rem .5rem; font-weight: 400; color: var(--blue); background: none; border-color: transparent; }
details[name] { margin: 0; border-top: 1px solid var(--rule); font-size: 1rem; }
details[name]:last-of-type { border-bottom: 1px solid var(--rule); }
details[name] > summary { padding: .7rem 0; font-weight: 650; }
.progress { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem 1rem; align-items: center; }
.progress label { grid-column: 1 / -1; }
progress { width: 100%; height: 1rem; accent-color: var(--blue-fill); }`;

const CALENDAR = `
.years { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 0 2rem; }
.years figure { margin: 0 0 1.5rem; max-width: 32rem; }
.years .note { margin: .4rem 0 .1rem; }
.years details { margin: 0; }
.years tbody th { min-width: 0; white-space: nowrap; }
.years thead th { white-space: normal; }
.key { margin-bottom: 1.25rem; gap: .25rem 1.25rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 1.5rem 2rem; }
svg .between { stroke: var(--paper); stroke-width: 1.5; fill: none; }
.swatch.partly { border-color: var(--blue-fill); background: linear-gradient(var(--orange-ground) 50%, var(--blue-fill) 50%); }
.value { display: inline-block; min-width: 4rem; overflow-wrap: anywhere; }`;

/** The report's colours and type, and what the page has beside them. */
export const STYLE = `:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
${TEXT}${COVER}${TABLES}${CHARTS}${PLACES}${LISTS}${FORMS}${CALENDAR}
`;

import { sizeText } from "../../core/text.ts";
import { MAX_FILES } from "../../inputs/files.ts";
import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import type { InputLine, InputsView } from "../data/inputs-view.ts";
import { exampleOf, INPUT_KINDS, type InputKind, kindOf } from "../input-kinds.ts";
import { answer, buttonLink, disclosure, emptyState, facts, notice, tag, unusableNotice } from "./components.ts";
import { asSentence, moment } from "./format.ts";
import { button, errorText, field, hidden, option, refusedNotice, type SentBack } from "./forms.ts";
import { type PageParts, section } from "./frame.ts";
import { inputLink, inputsLink, makeLink, removalLink } from "./links.ts";

export interface Inputs extends InputsView {
  readonly account: string;
  /** In which dates are read. */
  readonly zone: string;
  readonly mostFileBytes: number;
  /** What was sent and not done: the form shows it again. */
  readonly refused: SentBack | null;
  /** What was just done, as the address says it. */
  readonly done: { readonly what: "put" | "removed"; readonly name: string } | null;
}

/** The files that the user gives to packs, and the form that uploads one. */
export function inputsPage(view: Inputs): PageParts {
  const { account, inputs, isRead } = view;
  const put = isRead
    ? uploadForm(view)
    : emptyState("These files are too large together for this page. Change them in the store itself.");
  const rows = html`<ul class="rows inputs">${inputs.map((line, at) => inputRow(account, line, `input-${at + 1}`))}</ul>`;
  const none = emptyState("No file has been uploaded yet. Packs can be made without files.");
  const kinds = html`
<p class="note">${MAX_FILES} files at most. To replace a file, upload another of the same name.</p>
${facts(INPUT_KINDS.map((kind) => [kind.title, html`${asSentence(kind.about)} <code>${kind.name ?? "rates/NAME.csv"}</code>${exampleFor(kind)}`]))}`;
  return {
    title: `Your files for ${account}`,
    heading: html`Your files`,
    account,
    here: "files",
    body: html`${notices(view)}
<p class="lead">Data that the venue does not provide, such as opening positions, funding, transfers and exchange rates. Every pack of account ${outside(account)} that is made from now on uses these files and contains a copy of them.</p>
${section("put", "Upload a file", put)}
${section("files", "Current files", inputs.length === 0 ? none : rows)}
${section("kinds", "What each file is for", kinds)}`,
  };
}

function notices(view: Inputs): Html {
  const sent = view.refused && refusedNotice(view.refused, "The file was not uploaded.");
  return html`${sent ?? doneNotice(view)}${problemNotice(view)}`;
}

function doneNotice({ account, done, inputs, problem }: Inputs): Html | null {
  const line = inputs.find(({ name }) => name === done?.name);
  const isWhole = problem === null && inputs.every((one) => one.problem === null);
  if (done?.what === "put" && line !== undefined) {
    const head = html`${outside(line.name)} is here${line.understood === null ? null : html`: ${outside(line.understood)}`}.`;
    const next = isWhole ? html`<p>${buttonLink("secondary", makeLink(account), "Make a pack")}</p>` : null;
    const body = html`<p>Existing packs do not use it. Make them again if they should.</p>${next}`;
    return answer("status", notice("good", head, body));
  }
  return done?.what === "removed" && line === undefined && kindOf(done.name) !== null
    ? answer("status", notice("plain", html`${outside(done.name)} was removed.`))
    : null;
}

function problemNotice({ account, problem, inputs }: Inputs): Html | null {
  const unusable = inputs.filter(({ isUsable }) => !isUsable).map(({ name }) => name);
  if (problem !== null) {
    const until = html`<p>${asSentence(problem.hint ?? "")} Until then, no pack in another currency can be made.</p>`;
    return answer("alert", notice("warn", asSentence(problem.message), until));
  }
  const until = html`<p>Packs that need it cannot be made until it is replaced or removed.</p>`;
  return unusable.length === 0 && inputs.some((line) => line.problem !== null)
    ? notice("warn", "A file below cannot be understood.", until)
    : unusableNotice(account, unusable);
}

function uploadForm({ account, inputs, zone, mostFileBytes, refused: sent }: Inputs): Html {
  const seen = inputs.flatMap(({ name, stamp }) => (stamp === null ? [] : [`${name}:${stamp}`])).join(" ");
  const kind = sent?.fields.get("kind");
  const kinds = INPUT_KINDS.map((one) => option(one.kind, html`${one.title} (${one.name ?? "rates"})`, kind));
  return html`
<form class="card" method="post" enctype="multipart/form-data" action="${inputsLink(account)}">${hidden({ seen })}${field(
    {
      ...{ name: "file", id: "input-file", label: "File", sent, value: null },
      input: html` type="file" accept=".csv,.json,text/csv,application/json" required`,
      hint: `CSV in UTF-8, or accounts.json; ${sizeText(mostFileBytes)} at most.`,
    },
  )}${field({
    ...{ name: "kind", id: "input-kind", label: "What it is", sent },
    options: [option("", "Detect from the file name", kind), kinds],
  })}
<p class="note">The file is checked in the same way as by an export, alone and together with the other files; a date without a time is a day of ${outside(zone)}. A file with the same name is replaced.</p>
${button("Check and upload")}</form>`;
}

function inputRow(account: string, line: InputLine, id: string): Html {
  const { name, bytes, modifiedMs, stamp, understood, problem, isUsable } = line;
  const shown =
    stamp === null && !isUsable
      ? outside(name)
      : html`<a href="${inputLink(account, name)}" download>${outside(name)}</a>`;
  const kind = kindOf(name);
  const about = html`${kind === null ? null : `${kind.title} · `}${sizeText(bytes)} · changed ${moment(modifiedMs)}`;
  return html`<li data-input="${outsideText(name)}"><p class="name">${shown}</p><p class="about">${about}</p>
<div class="what">${understood === null ? null : html`<p>${tag("good", "understood")} ${outside(understood)}</p>`}${errorText(id, problem)}${stamp === null ? null : removal(account, name, stamp)}</div></li>`;
}

function removal(account: string, name: string, stamp: string): Html {
  const form = html`
<form method="post" action="${removalLink(account)}">${hidden({ name, seen: stamp })}
<p>Later packs are made without it.</p>${button(html`<span>Remove ${outside(name)}</span>`, { rank: "secondary" })}</form>`;
  return disclosure(html`Remove<span class="hidden"> ${outside(name)}</span>`, form);
}

function exampleFor(kind: InputKind): Html {
  const { columns, optional, title } = kind;
  const what = columns === null ? "An example" : "Columns, and an example line";
  const more = optional.length === 0 ? null : ` A further one may be there: ${optional.join(", ")}.`;
  const order = columns === null ? null : html`<p class="about">The columns may be in any order.${more}</p>`;
  return disclosure(
    html`${what}<span class="hidden"> of ${title}</span>`,
    html`<pre class="hashes">${exampleOf(kind)}</pre>${order}`,
  );
}

import { HEADINGS } from "../../accounting/rates/generic.ts";
import { sizeText } from "../../core/text.ts";
import { ACCOUNTS, MAX_FILES, RATES } from "../../inputs/files.ts";
import { TABLES } from "../../inputs/inputs.ts";
import { columnsOf } from "../../inputs/table.ts";
import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import type { StoredInput } from "../data/inputs.ts";
import type { Obstacle } from "../ports.ts";
import {
  answer,
  buttonLink,
  disclosure,
  emptyState,
  facts,
  notice,
  problemNotice,
  unusableNotice,
} from "./components.ts";
import { asSentence, moment } from "./format.ts";
import { button, field, hidden, option } from "./forms.ts";
import { type PageParts, section } from "./frame.ts";
import { inputLink, inputsLink, makeLink, removalLink } from "./links.ts";

export interface Inputs {
  readonly account: string;
  readonly inputs: readonly StoredInput[];
  readonly mostFileBytes: number;
  /** Why the file that was sent is not kept; null: none was sent. */
  readonly problem: Obstacle | null;
  /** The file that was just put up, as the address says it. */
  readonly put: string | undefined;
}

const KINDS = [
  ...TABLES.map(({ name, about, columns }) => ({ name, about, columns: columnsOf(columns, "required") })),
  {
    name: RATES,
    about: "exchange rates for packs in another currency: a file as published by a central bank or HMRC, or your own",
    columns: HEADINGS,
  },
  {
    name: ACCOUNTS,
    about: "names for the statement, and account names for your bookkeeping program",
    columns: [],
  },
];

/** The files that the user gives to packs, and the form that uploads one. */
export function inputsPage({ account, inputs, mostFileBytes, problem, put }: Inputs): PageParts {
  const isPut = inputs.some(({ name }) => name === put);
  const done = html`<p>Existing packs do not use it. Make them again if they should.</p><p>${buttonLink("secondary", makeLink(account), "Make a pack")}</p>`;
  const kinds = KINDS.map(({ name, about, columns }) => {
    const head = columns.length === 0 ? null : html`<br>Columns: <code>${columns.join(",")}</code>`;
    return [html`<code>${name}</code>`, html`${asSentence(about)}${head}`] as const;
  });
  const form = html`
<form class="card" method="post" enctype="multipart/form-data" action="${inputsLink(account)}">${field({
    ...{ name: "file", label: "File", value: null },
    input: html` type="file" accept=".csv,.json,text/csv,application/json" required`,
    hint: `CSV in UTF-8, or accounts.json; ${sizeText(mostFileBytes)} at most. A file of the same name is replaced.`,
  })}${field({
    ...{ name: "as", label: "What it is" },
    options: [option("", "As its name says"), KINDS.map(({ name }) => option(name, name))],
  })}
<p class="note">The file is read as an export reads it. It is not kept if anything in it is wrong.</p>
${button("Check and upload")}</form>`;
  return {
    title: `Your files for ${account}`,
    heading: html`Your files`,
    account,
    here: "files",
    body: html`${problem && answer("alert", problemNotice(problem))}${
      problem === null && isPut ? answer("status", notice("good", html`${outside(put ?? "")} is here.`, done)) : null
    }${unusableNotice(account, inputs)}
<p class="lead">Data that the venue does not provide, such as opening positions, funding, transfers and exchange rates. Every pack of account ${outside(account)} that is made from now on uses these files and contains a copy of them.</p>
${section("put", "Upload a file", form)}
${section("files", "Current files", inputs.length === 0 ? emptyState("No file has been uploaded yet. Packs can be made without files.") : html`<ul class="rows inputs">${inputs.map((one) => inputRow(account, one))}</ul>`)}
${section("kinds", "What each file is for", html`<p class="note">${MAX_FILES} files at most. Columns may be in any order.</p>${facts(kinds)}`)}`,
  };
}

function inputRow(account: string, { name, bytes, modifiedMs, isReadable, refusal }: StoredInput): Html {
  const form = html`
<form method="post" action="${removalLink(account)}">${hidden({ name })}
<p>Later packs are made without it.</p>${button(html`<span>Remove ${outside(name)}</span>`, { rank: "secondary" })}</form>`;
  return html`<li data-input="${outsideText(name)}"><p class="name">${isReadable ? html`<a href="${inputLink(account, name)}" download>${outside(name)}</a>` : outside(name)}</p>
<p class="about">${sizeText(bytes)} · changed ${moment(modifiedMs)}</p>
<div class="what">${refusal && problemNotice(refusal)}${isReadable ? disclosure(html`Remove<span class="hidden"> ${outside(name)}</span>`, form) : null}</div></li>`;
}

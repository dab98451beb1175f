import { sizeText } from "../../core/text.ts";
import { MAX_FILES } from "../../inputs/files.ts";
import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import type { InputLine, InputsView } from "../data/inputs-view.ts";
import { exampleOf, INPUT_KINDS, type InputKind, kindOf, type UploadField } from "../input-kinds.ts";
import type { Obstacle } from "../ports.ts";
import { buttonLink, disclosure, emptyState, errorText, field, notice } from "./components.ts";
import { asSentence, moment } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { inputLink, inputsLink, makeLink, removalLink } from "./links.ts";

/** What was sent and not done: the form shows it again. */
export interface InputsRefused {
  /** Null: no field is to blame. */
  readonly field: string | null;
  readonly problem: Obstacle | null;
  readonly fields: URLSearchParams;
  /** Somebody changed the file meanwhile; null: nobody did. */
  readonly conflict: { readonly name: string; readonly isThere: boolean } | null;
}

export interface Inputs extends InputsView {
  readonly account: string;
  /** In which dates are read where the form gives no other. */
  readonly zone: string;
  readonly mostFileBytes: number;
  readonly refused: InputsRefused | null;
  /** What was just done, as the address says it. */
  readonly done: { readonly what: "put" | "removed"; readonly name: string } | null;
}

/** The files that the user gives to packs, and the form that uploads one. */
export function inputsPage(frame: Frame, view: Inputs): string {
  const { account, inputs, unreadable, isRead, refused } = view;
  return pageOf(frame, {
    title: `Your files for ${account}`,
    heading: html`Your files`,
    account,
    here: "files",
    body: html`${refused === null ? doneNotice(view) : refusedNotice(refused)}${problemNotice(view)}
<p class="lead">Data that the venue does not provide, such as opening positions, funding, transfers and exchange rates. Every pack of account ${outside(account)} that is made from now on uses these files and contains a copy of them.</p>${section(
      "put",
      "Upload a file",
      isRead
        ? uploadForm(view)
        : emptyState("These files are too large together for this page. Change them in the store itself."),
    )}${section(
      "files",
      "Current files",
      inputs.length + unreadable.length === 0
        ? emptyState("No file has been uploaded yet. Packs can be made without files.")
        : html`
<ul class="rows inputs">${inputs.map((line) => inputRow(account, line))}${unreadable.map(unreadableRow)}
</ul>`,
    )}${section("kinds", "What each file is for", kindList())}`,
  });
}

function doneNotice({ account, done, inputs, unreadable, problem }: Inputs): Html | null {
  const line = inputs.find(({ name }) => name === done?.name);
  const isWhole = problem === null && unreadable.length === 0 && inputs.every((one) => one.problem === null);
  if (done?.what === "put" && line !== undefined) {
    const next = isWhole ? html`<p>${buttonLink("secondary", makeLink(account), "Make a pack")}</p>` : null;
    return html`<div role="status">${notice(
      "good",
      html`${outside(line.name)} is here${line.understood === null ? null : html`: ${outside(line.understood)}`}.`,
      html`<p>Existing packs do not use it. Make them again if they should.</p>${next}`,
    )}</div>`;
  }
  return done?.what === "removed" && line === undefined && kindOf(done.name) !== null
    ? html`<div role="status">${notice("plain", html`${outside(done.name)} was removed.`)}</div>`
    : null;
}

function refusedNotice({ field: named, conflict }: InputsRefused): Html {
  return html`<div role="alert">${
    conflict === null
      ? notice(
          "warn",
          "The file was not uploaded.",
          named === null ? null : html`<p>The field to change is marked.</p>`,
        )
      : notice(
          "warn",
          html`${outside(conflict.name)} ${conflict.isThere ? "was changed" : "was removed"} after you opened this page.`,
          html`<p>Nothing was changed. ${conflict.isThere ? "Check the current file. To replace or remove it anyway, do so again." : "To upload your file anyway, send it again."}</p>`,
        )
  }</div>`;
}

function problemNotice({ problem, inputs, unreadable }: Inputs): Html | null {
  if (unreadable.length > 0 || inputs.some(({ name, stamp }) => stamp !== null && kindOf(name) === null)) {
    return notice(
      "warn",
      "Something below is not a file of a pack.",
      html`<p>No pack can be made until it is removed.</p>`,
    );
  }
  if (problem !== null) {
    return html`<div role="alert">${notice("warn", asSentence(problem.message), html`<p>${asSentence(problem.hint ?? "")} Until then, no pack in another currency can be made.</p>`)}</div>`;
  }
  return inputs.some((line) => line.problem !== null)
    ? notice(
        "warn",
        "A file below cannot be understood.",
        html`<p>Packs that need it cannot be made until it is replaced or removed.</p>`,
      )
    : null;
}

function uploadForm(view: Inputs): Html {
  const { account, inputs, zone, mostFileBytes, refused } = view;
  const typed = (name: string): string => refused?.fields.get(name) ?? "";
  const error = (name: UploadField): Obstacle | null => (refused?.field === name ? refused.problem : null);
  const seen = inputs.flatMap(({ name, stamp }) => (stamp === null ? [] : [`${name}:${stamp}`])).join(" ");
  const file = field({
    id: "input-file",
    label: "File",
    control: (describedBy) =>
      html`<input id="input-file" name="file" type="file" accept=".csv,.json,text/csv,application/json" required${describedBy}>`,
    hint: `CSV in UTF-8, or accounts.json; ${sizeText(mostFileBytes)} at most.`,
    error: error("file"),
  });
  const kind = field({
    id: "input-kind",
    label: "What it is",
    control: (describedBy) => html`<select id="input-kind" name="kind"${describedBy}>
<option value="">Detect from the file name</option>${INPUT_KINDS.map(
      (one) =>
        html`<option value="${one.kind}"${one.kind === typed("kind") ? html` selected` : null}>${one.title} (${one.name ?? "rates"})</option>`,
    )}</select>`,
    error: error("kind"),
  });
  const where = html`<details${typed("zone") !== "" || error("zone") !== null ? html` open` : null}><summary>Time zone of its dates</summary>${field(
    {
      id: "input-zone",
      label: "Time zone to check with",
      control: (describedBy) =>
        html`<input id="input-zone" name="zone" maxlength="64" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="${outsideText(zone)}" value="${typed("zone")}"${describedBy}>`,
      hint: html`If empty: ${outside(zone)}. A date without a time is a day in this zone. Each pack uses its own time zone.`,
      error: error("zone"),
    },
  )}</details>`;
  return html`
<form class="card" method="post" enctype="multipart/form-data" action="${inputsLink(account)}"><input type="hidden" name="seen" value="${seen}">${file}${kind}${where}
<p class="note">The file is checked in the same way as by an export, alone and together with the other files. A file with the same name is replaced.</p>
<button class="primary" type="submit">Check and upload</button></form>`;
}

function inputRow(account: string, line: InputLine): Html {
  const { name, bytes, modifiedMs, stamp, understood, problem } = line;
  const kind = kindOf(name);
  return html`
<li data-input="${outsideText(name)}"><p class="name"><a href="${inputLink(account, name)}" download>${outside(name)}</a></p><p class="about">${kind === null ? null : html`${kind.title} · `}${sizeText(bytes)} · changed ${moment(modifiedMs)}</p>
<div class="what">${understood === null ? null : html`<p><span class="tag good"><span aria-hidden="true">✓</span> understood</span> ${outside(understood)}</p>`}${errorText(`input-${stamp}`, problem)}${stamp === null ? null : removal(account, name, stamp)}</div></li>`;
}

function unreadableRow({ name, problem }: Inputs["unreadable"][number], at: number): Html {
  return html`
<li data-input="${outsideText(name)}"><p class="name">${outside(name)}</p>
<div class="what">${errorText(`unreadable-${at}`, problem)}</div></li>`;
}

function removal(account: string, name: string, stamp: string): Html {
  return disclosure(
    html`Remove<span class="hidden"> ${outside(name)}</span>`,
    html`
<form method="post" action="${removalLink(account)}"><input type="hidden" name="name" value="${name}"><input type="hidden" name="seen" value="${stamp}">
<p>Later packs are made without it.</p><button class="secondary" type="submit"><span>Remove ${outside(name)}</span></button></form>`,
  );
}

function kindExample(kind: InputKind): Html {
  const { columns, optional } = kind;
  return disclosure(
    html`${columns === null ? "An example" : "Columns, and an example line"}<span class="hidden"> of ${kind.title}</span>`,
    html`
<pre class="hashes">${exampleOf(kind)}</pre>${columns === null ? null : html`<p class="about">The columns may be in any order.${optional.length === 0 ? null : ` A further one may be there: ${optional.join(", ")}.`}</p>`}`,
  );
}

function kindList(): Html {
  return html`
<p class="note">${MAX_FILES} files at most. To replace a file, upload another of the same name.</p>
<dl class="facts">${INPUT_KINDS.map(
    (kind) => html`
<div><dt>${kind.title}</dt><dd>${asSentence(kind.about)} <code>${kind.name ?? "rates/NAME.csv"}</code>${kindExample(kind)}</dd></div>`,
  )}
</dl>`;
}

import { counted } from "../../core/text.ts";
import { type Html, html } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { JobState, Obstacle, Role } from "../ports.ts";
import { buttonLink } from "./components.ts";
import { asSentence } from "./format.ts";
import { type Frame, section } from "./frame.ts";
import { READ_FILLS, startForm } from "./jobs.ts";
import { makeLink } from "./links.ts";

export interface FirstSteps {
  readonly archive: Pick<ArchiveView, "account" | "fills">;
  /** True while a job of the page reads fills. */
  readonly isReading: boolean;
  /** The user's role in this account. */
  readonly role: Role;
  /** Null if fills can be read from the service. */
  readonly cannotAsk: Obstacle | null;
}

/** The steps from an empty store to the first pack. */
export function firstSteps(frame: Frame, steps: FirstSteps): Html {
  const { archive, role, cannotAsk } = steps;
  const { account } = archive;
  return section(
    "begin",
    "Three steps to the first pack",
    html`
<ol class="steps">
<li${cannotAsk === null ? html` class="done"` : null}><h3>Connect fillbook to the venue</h3><p>${
      cannotAsk === null
        ? "Done: it has an address and a token."
        : html`${asSentence(cannotAsk.message)} ${asSentence(cannotAsk.hint ?? "")}`
    }</p></li>
<li><h3>Read your fills</h3>${readStep(frame, steps)}</li>
<li><h3>Make a pack</h3><p>Choose a tax year, a month or any days that are over.</p>${
      cannotAsk === null
        ? html`<p>${buttonLink(role === "operator" ? "secondary" : "primary", makeLink(account), "Make a pack")}</p>`
        : null
    }</li>
</ol>`,
  );
}

function readStep(frame: Frame, { archive: { account, fills }, role, cannotAsk, ...steps }: FirstSteps): Html {
  if (steps.isReading) {
    return html`<p>They are being read: ${counted(fills, "fill")} kept so far.</p>`;
  }
  const begun = fills === 0 ? "Nothing was read yet." : `${counted(fills, "fill")} kept so far.`;
  const reads =
    role === "operator"
      ? startForm(frame, { account, kind: "sync" }, READ_FILLS, { rank: "primary", disabled: cannotAsk !== null })
      : html`<p>Making a pack reads them too.</p>`;
  return html`<p>${begun} Reading a whole account takes minutes, or hours if it has millions of fills. You can stop it; it continues where it stopped.</p>${reads}`;
}

/** True while an account has neither read a range nor made a pack. */
export function isBeginning({ coverage }: Pick<ArchiveView, "coverage">, hasPacks: boolean): boolean {
  return coverage.length === 0 && !hasPacks;
}

/** True if a job of the page reads fills: a pack's job does too. */
export function isReading(jobs: readonly JobState[]): boolean {
  return jobs.some(
    ({ state, request }) => state === "running" && (request.kind === "sync" || request.kind === "export"),
  );
}

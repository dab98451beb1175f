import { counted } from "../../core/text.ts";
import { html, outside } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import { type Frame, pageOf } from "./frame.ts";
import { accountLink } from "./links.ts";
import { lastRunText } from "./status.ts";

export interface AccountLine {
  readonly account: string;
  /** Null: there are too many to look into each. */
  readonly archive: ArchiveView | null;
}

/** The accounts that the user may see. */
export function accountsPage(frame: Frame, accounts: readonly AccountLine[]): string {
  return pageOf(frame, {
    title: "Accounts",
    here: "accounts",
    body:
      accounts.length === 0
        ? html`
<p class="empty">There is no account for you here yet. Ask whoever runs this page.</p>`
        : html`
<p class="lead">Each account has its own book of fills and its own packs.</p>
<ul class="rows accounts">${accounts.map(
            ({ account, archive }) => html`
<li><a class="name" href="${accountLink(account)}">${outside(account)}</a>${
              archive === null
                ? null
                : html` <span class="about">${counted(archive.fills, "fill")}. ${lastRunText(archive)}</span>`
            }</li>`,
          )}
</ul>`,
  });
}

import { type Html, html, outside, outsideText } from "../../pack/files/report/html.ts";
import type { PackDetails, PackFileEntry } from "../ports.ts";
import { GROUPS, purposeOf } from "./file-purposes.ts";
import { sizeText } from "./format.ts";
import { fileLink } from "./links.ts";

/** Files that this version knows no purpose of. */
const OTHERS = "Others";

/** The files of a pack, by whom they are for: to be downloaded one by one. */
export function fileList(account: string, pack: PackDetails): Html {
  const groups = Map.groupBy(pack.files, ({ path }) => purposeOf(path)?.group ?? OTHERS);
  return html`${([...GROUPS, OTHERS] as const).map((group) => {
    const files = groups.get(group);
    return files === undefined
      ? null
      : html`
<h3>${group}</h3>
<ul class="rows files">${files.map((file) => fileRow(account, pack, file))}
</ul>`;
  })}
<p class="note">A hash is whole when it is copied from here; SHA256SUMS has all of them.</p>`;
}

function fileRow(account: string, pack: PackDetails, { path, bytes, sha256 }: PackFileEntry): Html {
  return html`
<li><a class="name" href="${fileLink(account, pack, path)}">${outside(path)}</a> <span class="about">${purposeOf(path)?.text ?? null}</span> <span class="size">${sizeText(bytes)}</span>${
    sha256 === null ? null : html` <span class="sum">SHA-256 <code class="cut">${outsideText(sha256)}</code></span>`
  }</li>`;
}

import { isAccountName } from "../../../core/account-name.ts";
import { readPackName } from "../../../core/period-name.ts";
import { count, counted } from "../../../core/text.ts";
import { isoTime, type TimeRange } from "../../../core/time.ts";
import { typedFlag } from "../../../core/typed-flag.ts";
import { fileName } from "../../catalogue/names.ts";
import type { PackContext, Proof } from "../../make/maker.ts";
import { MADE_BY } from "../../make/version.ts";
import { type Html, html, outsideText } from "../html.ts";
import { utc } from "../numbers.ts";
import { file, lines, moreIn, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

/** The page shows this many ranges. completeness.json has all. */
const MOST_RANGES = 20;

type Range = TimeRange & Partial<Proof["coverage"][number]>;

/** The evidence for completeness: what it means, what it cannot prove, and how to check it. */
export function proofSection({ context, closing: { proof, sums } }: View): Html {
  const { late, changed, enriched } = proof.restatements;
  const fills = `${counted(proof.fills, "fill")} ${proof.fills === 1 ? "is" : "are"}`;
  const what = context.complete
    ? html`The venue reports fills page by page. The whole period was read twice, in two different ways: first page after page until the venue reported no further page, then by dates alone, from one known fill to another. Both readings agree${proof.readTwiceAt === null ? "" : html` since ${utc(proof.readTwiceAt)} UTC`}. Each fill was kept once, identified by its match and order. ${fills} in this pack.`
    : html`This pack is <strong>INCOMPLETE</strong>: it was made before the whole period was known to be complete. ${fills} in it, and there may be more.`;
  return html`
<h3>What is proved</h3>
<p>${what}</p>
${ranges(context, "coverage", proof.coverage)}${ranges(context, "gaps", proof.gaps)}
<h3>What it cannot prove</h3>${lines(LIMITS, "")}
<h3>Restatements</h3>
<p>Fills of the period that the venue added or changed after their time was first read: ${count(late + changed + enriched)} (late: ${count(late)}; changed: ${count(changed)}; only a missing value was added: ${count(enriched)}). Figures use the newer version; ${file(context, "restatements.csv")} has both versions.</p>
${howToCheck(context, sums.currency)}
<p class="note">Made by ${MADE_BY}.</p>`;
}

const LIMITS = [
  "That the venue reports everything: completeness is measured against its answers. Compare the figures with the venue's own statements and with the balances of the account.",
  "That nothing changes later. A fill that the venue adds or corrects after its time was read is a restatement. It leads to a new version of the pack.",
  "That a declared opening position, or one assumed to be nil, is right: fills alone do not show it.",
  "Anything that is not a fill: funding, deposits, withdrawals, other accounts.",
];

const RANGES = {
  coverage: { caption: "Read in full", none: "Nothing of the period was read." },
  gaps: { caption: "Gaps: not read", none: "There are no gaps." },
} as const;

function ranges(context: PackContext, which: "coverage" | "gaps", items: readonly Range[]): Html {
  const { caption, none } = RANGES[which];
  const times = column("Read", ({ readings }: Range) => (readings === 2 ? "twice" : html`<strong>once</strong>`));
  return items.length === 0
    ? html`<p>${none}</p>`
    : listTable<Range>({
        id: `proof-${which}`,
        caption,
        columns: [
          column("From, UTC", ({ from }) => utc(from)),
          column("Up to, UTC", ({ to }) => utc(to)),
          ...(which === "gaps" ? [] : [times]),
        ],
        items,
        most: MOST_RANGES,
        more: moreIn(context, "range", "completeness.json"),
      });
}

/** Commands to run in the pack's folder, and the command that makes the pack again. */
function howToCheck(context: PackContext, currency: string | null): Html {
  const sums = fileName(context, "SHA256SUMS");
  return html`
<h3>How to check it</h3>
<p>${file(context, "SHA256SUMS")} lists the SHA-256 of every file of the pack, including this page. To check them, run <code>sha256sum -c ${sums}</code> in the folder of the pack.</p>
<details><summary>Commands to check the files and to make the pack again</summary>
<h4>The files</h4>
<p>In the folder of the pack:</p>
<dl class="terms">
<div><dt>Linux</dt><dd><pre>sha256sum -c ${sums}</pre></dd></div>
<div><dt>macOS</dt><dd><pre>shasum -a 256 -c ${sums}</pre></dd></div>
<div><dt>Windows, PowerShell</dt><dd><pre>Get-Content ${sums} | ForEach-Object {
  $hash, $path = $_ -split '  ', 2
  $ok = (Get-FileHash -Algorithm SHA256 -LiteralPath $path).Hash -eq $hash
  if ($ok) { "$path OK" } else { "$path FAILED" }
}</pre></dd></div>
</dl>
<p>Each line must end in OK. Keep the SHA-256 of ${file(context, "SHA256SUMS")} itself apart from the pack, in a letter or a signed mail, so that nobody can change a file and its line together.</p>
<h4>The pack, made again</h4>
<p>With the same archive, the same version of fillbook and the files under <code>inputs/</code>, this makes the same files, byte for byte, on any machine and at any time:</p>
<pre>${exportCommand(context, currency)}</pre>
<p>To compare the archive with the venue again: <code>fillbook verify --rewalk</code>.</p></details>`;
}

function exportCommand(context: PackContext, currency: string | null): string {
  const { name, accounts, period, methods, isMethodChosen, basis, complete } = context;
  const typed = readPackName(period.name)?.typed ?? null;
  // A group with a name of its own is typed by that name.
  const names = isAccountName(name) ? [name] : accounts.map(({ account }) => account);
  return [
    "fillbook export",
    ...names.map((one) => typedFlag("account", outsideText(one))),
    typed === null ? `--from ${isoTime(period.from)} --to ${isoTime(period.to)}` : `--period ${typed}`,
    typedFlag("zone", period.zone),
    ...(isMethodChosen ? [`--method ${methods.primary}`] : []),
    ...(basis === "fill" ? [] : ["--basis transaction"]),
    ...(currency === null ? [] : [`--currency ${outsideText(currency)}`]),
    ...(complete ? [] : ["--allow-incomplete"]),
  ].join(" ");
}

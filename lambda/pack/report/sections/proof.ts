import { isAccountName } from "../../../core/account-name.ts";
import { readPackName } from "../../../core/period-name.ts";
import { count, counted, typedFlag } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import { assumptionsOf } from "../../catalogue/assumptions.ts";
import { basisFacts, CODES } from "../../catalogue/facts.ts";
import { fileName } from "../../catalogue/names.ts";
import type { PackContext } from "../../make/maker.ts";
import { MADE_BY } from "../../make/version.ts";
import { type Html, html, outside, outsideText } from "../html.ts";
import { utc } from "../numbers.ts";
import { facts, file, LONGEST, lines, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

/** How the figures were made: enough to calculate them again in another way. */
export function basisSection({ context, closing }: View): Html {
  return html`${facts(basisFacts(context, closing))}
<h3>Assumptions</h3>${lines(assumptionsOf(closing.proof).map((text) => outside(text, LONGEST)))}
<h3>Codes and signs on this page and in the files of the pack</h3>${facts(CODES)}`;
}

/** The page shows this many ranges. completeness.json has all. */
const MOST_RANGES = 20;
const READ = ["not read: a gap", "once", "twice"] as const;

/** The evidence for completeness: what it means, what it cannot prove, and how to check it. */
export function proofSection({ context, closing: { proof, sums } }: View): Html {
  const { late, changed, enriched } = proof.restatements;
  const fills = `${counted(proof.fills, "fill")} ${proof.fills === 1 ? "is" : "are"}`;
  const what = context.complete
    ? html`The venue reports fills page by page. The whole period was read twice, in two different ways: first page after page until the venue reported no further page, then by dates alone, from one known fill to another. Both readings agree${proof.readTwiceAt === null ? "" : html` since ${utc(proof.readTwiceAt)} UTC`}. Each fill was kept once, identified by its match and order. ${fills} in this pack.`
    : html`This pack is <strong>INCOMPLETE</strong>: it was made before the whole period, and the history that its PnL depends on, were known to be complete. ${fills} in it, and there may be more.`;
  const ranges = [...proof.coverage, ...proof.gaps.map((gap) => ({ ...gap, readings: 0 as const }))];
  const read = listTable<(typeof ranges)[number]>({
    id: "proof-ranges",
    caption: "What was read",
    columns: [
      column("From, UTC", ({ from }) => utc(from)),
      column("Up to, UTC", ({ to }) => utc(to)),
      column("Read", ({ readings }) => (readings === 2 ? READ[2] : html`<strong>${READ[readings]}</strong>`)),
    ],
    items: ranges.sort((a, b) => a.from - b.from),
    most: MOST_RANGES,
    all: file(context, "completeness.json"),
  });
  const sha256 = file(context, "SHA256SUMS");
  return html`
<h3>What is proved</h3>
<p>${what}</p>${read}
<h3>What it cannot prove</h3>${lines(LIMITS)}
<h3>Restatements</h3>
<p>Fills of the period that the venue added or changed after their time was first read: ${count(late + changed + enriched)} (late: ${count(late)}; changed: ${count(changed)}; only a missing value was added: ${count(enriched)}). Figures use the newer version; ${file(context, "restatements.csv")} has both versions.</p>
<h3>How to check it</h3>
<p>${sha256} lists the SHA-256 of every file of the pack, including this page. In the folder of the pack, this must say OK for each (on macOS <code>shasum -a 256 -c</code>):</p>
<pre>sha256sum -c ${fileName(context, "SHA256SUMS")}</pre>
<p>Keep the SHA-256 of ${sha256} itself apart from the pack, in a letter or a signed mail, so that nobody can change a file and its line together. With the same archive, the same version of fillbook and the files under <code>inputs/</code>, this makes the same files, byte for byte, on any machine and at any time:</p>
<pre>${exportCommand(context, sums.currency)}</pre>
<p class="note">To compare the archive with the venue again: <code>fillbook verify --rewalk</code>. Made by ${MADE_BY}.</p>`;
}

const LIMITS = [
  "That the venue reports everything: completeness is measured against its answers. Compare the figures with the venue's own statements and with the balances of the account.",
  "That nothing changes later. A fill that the venue adds or corrects after its time was read is a restatement. It leads to a new version of the pack.",
  "That a declared opening position, or one assumed to be nil, is right: fills alone do not show it.",
  "Anything that is not a fill: funding, deposits, withdrawals, other accounts.",
];

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

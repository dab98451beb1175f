import { isAccountName } from "../../../core/account-name.ts";
import { readPackName } from "../../../core/period-name.ts";
import { isoTime } from "../../../core/time.ts";
import { typedFlag } from "../../../core/typed-flag.ts";
import type { PackContext } from "../../make/maker.ts";
import { type Html, html, outsideText } from "../html.ts";
import { file, fileName } from "../parts.ts";
import { opened } from "../table.ts";

/** Commands to run in the pack's folder, and the command that makes the pack again. */
export function howToCheck(context: PackContext, currency: string | null): Html {
  const sums = fileName(context, "SHA256SUMS");
  const commands = html`
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
<p>To compare the archive with the venue again: <code>fillbook verify --rewalk</code>.</p>`;
  return html`
<h3>How to check it</h3>
<p>${file(context, "SHA256SUMS")} lists the SHA-256 of every file of the pack, including this page. To check them, run <code>sha256sum -c ${sums}</code> in the folder of the pack.</p>${opened("Commands to check the files and to make the pack again", commands)}`;
}

function exportCommand(
  { name, accounts, period, methods, isMethodChosen, basis, complete }: PackContext,
  currency: string | null,
): string {
  const typed = readPackName(period.name)?.typed ?? null;
  return [
    `fillbook export ${typedAccounts(name, accounts)}`,
    typed === null ? `--from ${isoTime(period.from)} --to ${isoTime(period.to)}` : `--period ${typed}`,
    typedFlag("zone", period.zone),
    ...(isMethodChosen ? [`--method ${methods.primary}`] : []),
    ...(basis === "fill" ? [] : ["--basis transaction"]),
    ...(currency === null ? [] : [`--currency ${outsideText(currency)}`]),
    ...(complete ? [] : ["--allow-incomplete"]),
  ].join(" ");
}

/** A group with a name of its own is typed by that name. */
function typedAccounts(name: string, accounts: PackContext["accounts"]): string {
  const names = isAccountName(name) ? [name] : accounts.map(({ account }) => account);
  return names.map((one) => typedFlag("account", outsideText(one))).join(" ");
}

import { fileNamed, isReadable, readPackText } from "../data/catalogue.ts";
import { recordDownload } from "../data/downloads.ts";
import { attachment, fileNameOf, openPackFile, openZip, zipName } from "../pack-bytes.ts";
import type { PageContext } from "../page-context.ts";
import { REPORT_POLICY } from "../security.ts";
import { notThere } from "./answers.ts";

const WHOLE_PACK = "*";
const REPORT = "report.html";

/** The pack's own report as a page. Viewing it does not count as a download. */
export async function showReport(c: PageContext): Promise<Response> {
  const { stores, pack } = c.var;
  const file = fileNamed(pack, REPORT);
  if (file === undefined) {
    return notThere(c, "no report in the pack");
  }
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-length": String(file.bytes),
    "content-security-policy": REPORT_POLICY,
  };
  // A report that is checked before it is sent: a page can still say that it is damaged.
  return isReadable(file)
    ? c.body(await readPackText(stores, pack, REPORT), 200, headers)
    : c.body(ReadableStream.from(await openPackFile(stores, pack, file)), 200, headers);
}

/** One file of the pack. */
export async function sendFile(c: PageContext): Promise<Response> {
  const { stores, pack } = c.var;
  const found = pack.files.find(({ path }) => path === c.req.query("path"));
  return found === undefined
    ? notThere(c, "no such file in the pack")
    : await send(c, found.path, found.bytes, () => openPackFile(stores, pack, found));
}

/** All files of the pack, in a folder of their own. */
export async function sendZip(c: PageContext): Promise<Response> {
  const { stores, pack } = c.var;
  return pack.zipBytes === null
    ? notThere(c, "no ZIP of the pack")
    : await send(c, null, pack.zipBytes, () => openZip(stores, pack));
}

/** Sends it, or leads to the host's own link. `path`: null for the ZIP. */
async function send(
  c: PageContext,
  path: string | null,
  bytes: number,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<Response> {
  const { ports, visitor, account, stores, pack } = c.var;
  const { period, version } = pack;
  const download = { at: ports.now(), user: visitor.user.name, account, period, version, path: path ?? WHOLE_PACK };
  await recordDownload(stores, download, ports.newId()); // before a link is signed or a byte is sent
  return ports.links === null
    ? c.body(ReadableStream.from(await open()), 200, {
        "content-type": path === null ? "application/zip" : "application/octet-stream",
        "content-length": String(bytes),
        "content-disposition": attachment(path === null ? zipName(account, pack) : fileNameOf(path)),
      })
    : c.redirect(await ports.links.toFile(account, pack, path), 303);
}

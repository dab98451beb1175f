import { fileNamed, isReadable, readPackText } from "../data/catalogue.ts";
import { recordDownload } from "../data/downloads.ts";
import { packKey, zipKey } from "../data/versions.ts";
import { attachment, fileNameOf, openPackFile, openZip, zipName } from "../pack-bytes.ts";
import type { PageContext } from "../page-context.ts";
import type { StoredAt } from "../ports.ts";
import { REPORT_POLICY } from "../security.ts";
import { notThere } from "./answers.ts";

const WHOLE_PACK = "*";
const REPORT = "report.html";

interface Sent {
  readonly name: string;
  readonly bytes: number;
  readonly open: () => Promise<AsyncIterable<Uint8Array>> | Iterable<Uint8Array>;
}

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
  const { account, stores, pack } = c.var;
  const found = pack.files.find((one) => one.path === c.req.query("path"));
  if (found === undefined) {
    return notThere(c, "no such file in the pack");
  }
  const { path, bytes } = found;
  await recorded(c, path);
  const at = { store: pack.store, key: packKey(account, pack, path) };
  return await sendStored(c, at, { name: fileNameOf(path), bytes, open: () => openPackFile(stores, pack, found) });
}

/** All files of the pack, in a folder of their own. */
export async function sendZip(c: PageContext): Promise<Response> {
  const { account, stores, pack } = c.var;
  if (pack.zipBytes === null) {
    return notThere(c, "no ZIP of the pack");
  }
  await recorded(c, WHOLE_PACK);
  const at = { store: pack.store, key: zipKey(account, pack) };
  const open = () => openZip(stores, pack);
  return await sendStored(c, at, { name: zipName(account, pack), bytes: pack.zipBytes, open });
}

/** Before a link is signed or a byte is sent. */
async function recorded(c: PageContext, path: string): Promise<void> {
  const { ports, visitor, account, stores, pack } = c.var;
  const { period, version } = pack;
  const record = { at: ports.now(), user: visitor.user.name, account, period, version, path };
  await recordDownload(stores, record, ports.newId());
}

/** Sends the object as a download under this name, or leads to the host's own link. */
export async function sendStored(c: PageContext, at: StoredAt, { name, bytes, open }: Sent): Promise<Response> {
  const { ports, account } = c.var;
  return ports.links === null
    ? c.body(ReadableStream.from(await open()), 200, {
        "content-type": "application/octet-stream",
        "content-length": String(bytes),
        "content-disposition": attachment(name),
      })
    : c.redirect(await ports.links(account, at, name), 303);
}

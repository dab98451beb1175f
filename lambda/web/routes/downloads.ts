import { recordDownload } from "../data/downloads.ts";
import { fileNamed, MAX_READ_BYTES, openPackFile, openZip, readPackText } from "../data/pack-files.ts";
import { packKey, zipKey } from "../data/versions.ts";
import type { PageContext } from "../page-context.ts";
import type { StoredAt } from "../ports.ts";
import { REPORT_POLICY } from "../security.ts";
import { notThere } from "./answers.ts";

const WHOLE_PACK = "*";
const REPORT = "report.html";

interface Sent extends StoredAt {
  /** The last part of it is the name under which it is saved. */
  readonly name: string;
  readonly bytes: number;
  readonly open: () => Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>;
}

/** The pack's own report as a page. Viewing it does not count as a download. */
export async function showReport(c: PageContext): Promise<Response> {
  const { stores, pack } = c.var;
  const file = fileNamed(pack, REPORT);
  if (file === undefined) {
    return notThere(c, "no report in the pack");
  }
  const headers = { "content-type": "text/html; charset=utf-8", "content-security-policy": REPORT_POLICY };
  // A report that is checked before it is sent: a page can still say that it is damaged.
  return file.bytes > MAX_READ_BYTES
    ? c.body(ReadableStream.from(await openPackFile(stores, pack, file)), 200, headers)
    : c.body(await readPackText(stores, pack, REPORT), 200, headers);
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
  const at = { store: stores.packs, key: packKey(account, pack, path) };
  return await sendStored(c, { ...at, name: path, bytes, open: () => openPackFile(stores, pack, found) });
}

/** All files of the pack, in a folder of their own. */
export async function sendZip(c: PageContext): Promise<Response> {
  const { account, stores, pack } = c.var;
  const { period, version, zipBytes: bytes } = pack;
  if (bytes === null) {
    return notThere(c, "no ZIP of the pack");
  }
  await recorded(c, WHOLE_PACK);
  const at = { store: stores.packs, key: zipKey(account, pack) };
  const name = `${account}-${period}-${version}.zip`;
  return await sendStored(c, { ...at, name, bytes, open: () => openZip(stores, pack) });
}

/** Before a link is signed or a byte is sent. */
async function recorded(c: PageContext, path: string): Promise<void> {
  const { ports, visitor, account, stores, pack } = c.var;
  const { period, version } = pack;
  const record = { at: ports.now(), user: visitor.user.name, account, period, version, path };
  await recordDownload(stores, record, ports.newId());
}

/** Sends the object as a download under this name, or leads to the host's own link. */
export async function sendStored(c: PageContext, { name, bytes, open, ...at }: Sent): Promise<Response> {
  const { ports, account } = c.var;
  const disposition = attachment(name);
  return ports.links === null
    ? c.body(ReadableStream.from(await open()), 200, {
        "content-type": "application/octet-stream",
        "content-length": String(bytes),
        "content-disposition": disposition,
      })
    : c.redirect(await ports.links(account, at, disposition), 303);
}

/** The value of Content-Disposition (RFC 6266): saved under the last part of the path, never displayed. */
export function attachment(path: string): string {
  return `attachment; filename="${path.slice(path.lastIndexOf("/") + 1).replaceAll(/[^\w.=-]/g, "_")}"`;
}

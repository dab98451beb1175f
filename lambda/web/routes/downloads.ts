import { fileNamed, isReadable, readPackText } from "../data/catalogue.ts";
import { recordDownload } from "../data/downloads.ts";
import { attachment, fileNameOf, openPackFile, openZip, zipName } from "../pack-bytes.ts";
import type { PageAnswer } from "../request.ts";
import { REPORT_POLICY } from "../security.ts";
import { notThere, seeOther } from "./answers.ts";
import type { PackRoute, RouteContext } from "./route-context.ts";

const WHOLE_PACK = "*";
const REPORT = "report.html";

/** The pack's own report as a page. Viewing it does not count as a download. */
export async function showReport({ visitor }: RouteContext, { stores, pack }: PackRoute): Promise<PageAnswer> {
  const file = fileNamed(pack, REPORT);
  if (file === undefined) {
    return notThere("no report in the pack", visitor);
  }
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-length": String(file.bytes),
      "content-security-policy": REPORT_POLICY,
    },
    // A report that is checked before it is sent: a page can still say that it is damaged.
    body: isReadable(file)
      ? Buffer.from(await readPackText(stores, pack, REPORT))
      : await openPackFile(stores, pack, file),
  };
}

/** One file of the pack. */
export async function sendFile(context: RouteContext, place: PackRoute): Promise<PageAnswer> {
  const { stores, pack } = place;
  const asked = context.request.query.get("path");
  const found = pack.files.find(({ path }) => path === asked);
  return found === undefined
    ? notThere("no such file in the pack", context.visitor)
    : await send(context, place, found.path, {
        type: "application/octet-stream",
        bytes: found.bytes,
        name: fileNameOf(found.path),
        open: () => openPackFile(stores, pack, found),
      });
}

/** All files of the pack, in a folder of their own. */
export async function sendZip(context: RouteContext, place: PackRoute): Promise<PageAnswer> {
  const { account, stores, pack } = place;
  return pack.zipBytes === null
    ? notThere("no ZIP of the pack", context.visitor)
    : await send(context, place, null, {
        type: "application/zip",
        bytes: pack.zipBytes,
        name: zipName(account, pack),
        open: () => openZip(stores, pack),
      });
}

interface Sent {
  readonly type: string;
  readonly bytes: number;
  readonly name: string;
  readonly open: () => Promise<AsyncIterable<Uint8Array>>;
}

/** Sends it, or leads to the host's own link. `path`: null for the ZIP. */
async function send(
  { ports, visitor }: RouteContext,
  { account, stores, pack }: PackRoute,
  path: string | null,
  { type, bytes, name, open }: Sent,
): Promise<PageAnswer> {
  const { period, version } = pack;
  const download = { at: ports.now(), user: visitor.user.name, account, period, version, path: path ?? WHOLE_PACK };
  await recordDownload(stores, download, ports.newId()); // before a link is signed or a byte is sent
  if (ports.links !== null) {
    return seeOther(await ports.links.toFile(account, pack, path));
  }
  const headers = { "content-type": type, "content-length": String(bytes), "content-disposition": attachment(name) };
  return { status: 200, headers, body: await open() };
}

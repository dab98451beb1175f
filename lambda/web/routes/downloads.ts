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
  const { account, stores, pack } = place;
  const asked = context.request.query.get("path");
  const found = pack.files.find(({ path }) => path === asked);
  if (found === undefined) {
    return notThere("no such file in the pack", context.visitor);
  }
  await record(context, place, found.path);
  const { links } = context.ports;
  if (links !== null) {
    return seeOther(await links.toFile(account, pack, found.path));
  }
  return {
    status: 200,
    headers: {
      "content-type": "application/octet-stream",
      "content-length": String(found.bytes),
      "content-disposition": attachment(fileNameOf(found.path)),
    },
    body: await openPackFile(stores, pack, found),
  };
}

/** All files of the pack, in a folder of their own. */
export async function sendZip(context: RouteContext, place: PackRoute): Promise<PageAnswer> {
  const { account, stores, pack } = place;
  if (pack.zipBytes === null) {
    return notThere("no ZIP of the pack", context.visitor);
  }
  await record(context, place, WHOLE_PACK);
  const { links } = context.ports;
  if (links !== null) {
    return seeOther(await links.toFile(account, pack, null));
  }
  return {
    status: 200,
    headers: {
      "content-type": "application/zip",
      "content-length": String(pack.zipBytes),
      "content-disposition": attachment(zipName(account, pack)),
    },
    body: await openZip(stores, pack),
  };
}

/** Call it before a link is signed or a byte is sent. */
async function record({ ports, visitor }: RouteContext, { account, stores, pack }: PackRoute, path: string) {
  const { period, version } = pack;
  const download = { at: ports.now(), user: visitor.user.name, account, period, version, path };
  await recordDownload(stores, download, ports.newId());
}

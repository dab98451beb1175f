import { INCOMPLETE_MARK } from "../../pack/build/maker.ts";
import { attachment, fileNameOf } from "../attachment.ts";
import { openPackFile, packName, packZip } from "../pack-zip.ts";
import type { PackFileEntry } from "../ports.ts";
import { REPORT_POLICY } from "../security.ts";
import { jobLink } from "../views/links.ts";
import { notThere, seeOther } from "./answers.ts";
import type { Reply, RouteContext } from "./route-context.ts";
import type { PackRoute } from "./with-account.ts";

const WHOLE_PACK = "*";

/** The pack's own report, for its frame. To look at it is no download. */
export async function showReport(visit: RouteContext, place: PackRoute): Promise<Reply> {
  const file = place.pack.files.find(({ path }) => path === "report.html" || path === `${INCOMPLETE_MARK}report.html`);
  if (file === undefined) {
    return notThere("no report in the pack");
  }
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-length": String(file.bytes),
      "content-security-policy": REPORT_POLICY,
    },
    body: await openFile(visit, place, file),
  };
}

/** One file of the pack. */
export async function sendFile(visit: RouteContext, place: PackRoute): Promise<Reply> {
  const asked = visit.request.query.get("path");
  const found = place.pack.files.find(({ path }) => path === asked);
  if (found === undefined) {
    return notThere("no such file in the pack");
  }
  await record(visit, place, found.path);
  const url = await visit.ports.links.toFile(place.account, place.pack, found.path);
  return url === null
    ? {
        status: 200,
        headers: {
          "content-type": "application/octet-stream",
          "content-length": String(found.bytes),
          "content-disposition": attachment(fileNameOf(found.path)),
        },
        body: await openFile(visit, place, found),
      }
    : seeOther(url);
}

/** All files of the pack, in a folder of their own. */
export async function sendZip(visit: RouteContext, place: PackRoute): Promise<Reply> {
  const { account, pack } = place;
  const way = await visit.ports.links.toZip(account, pack);
  if (way === "make") {
    const { period, version } = pack;
    const { id } = await visit.ports.jobs.start({ account, kind: "zip", period, version }, visit.visitor.user);
    return seeOther(jobLink(account, id));
  }
  await record(visit, place, WHOLE_PACK);
  if (way !== "stream") {
    return seeOther(way.url);
  }
  return {
    status: 200,
    headers: { "content-type": "application/zip", "content-disposition": attachment(`${packName(account, pack)}.zip`) },
    body: packZip(visit.ports.packs, account, pack),
  };
}

/** Before a link is signed or a byte goes out. */
async function record({ ports, visitor }: RouteContext, { account, pack }: PackRoute, path: string): Promise<void> {
  const { period, version } = pack;
  await ports.downloads.record({ at: ports.now(), user: visitor.user.name, account, period, version, path });
}

function openFile(
  { ports }: RouteContext,
  { account, pack }: PackRoute,
  file: PackFileEntry,
): Promise<AsyncIterable<Uint8Array>> {
  return openPackFile(ports.packs, account, pack, file);
}

import { FillbookError } from "../../errors.ts";
import { INCOMPLETE_MARK } from "../../pack/maker.ts";
import { checkedBytes } from "../checked-bytes.ts";
import type { PackDetails, PackFileEntry } from "../ports.ts";
import { REPORT_POLICY } from "../security.ts";
import { jobLink } from "../views/links.ts";
import { type ZipSource, zipStream } from "../zip-stream.ts";
import { notThere, seeOther } from "./answers.ts";
import type { PackPlace } from "./places.ts";
import type { Reply, Visit } from "./visit.ts";

const WHOLE_PACK = "*";

/** The pack's own report, for its frame. To look at it is no download. */
export async function showReport(visit: Visit, place: PackPlace): Promise<Reply> {
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
export async function sendFile(visit: Visit, place: PackPlace): Promise<Reply> {
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
          "content-disposition": attachment(found.path.slice(found.path.lastIndexOf("/") + 1)),
        },
        body: await openFile(visit, place, found),
      }
    : seeOther(url);
}

/** All files of the pack, in a folder of their own. */
export async function sendZip(visit: Visit, place: PackPlace): Promise<Reply> {
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
  const name = packName(place);
  const sources = place.pack.files.map(
    (one): ZipSource => ({ path: `${name}/${one.path}`, bytes: one.bytes, open: () => openFile(visit, place, one) }),
  );
  return {
    status: 200,
    headers: { "content-type": "application/zip", "content-disposition": attachment(`${name}.zip`) },
    body: zipStream(sources),
  };
}

function packName({ account, pack: { period, version } }: { account: string; pack: PackDetails }): string {
  return `${account}-${period}-${version}`;
}

/** Before a link is signed or a byte goes out. */
async function record({ ports, visitor }: Visit, { account, pack }: PackPlace, path: string): Promise<void> {
  const { period, version } = pack;
  await ports.downloads.record({ at: ports.now(), user: visitor.user.name, account, period, version, path });
}

async function openFile(
  { ports }: Visit,
  { account, pack }: PackPlace,
  entry: PackFileEntry,
): Promise<AsyncIterable<Uint8Array>> {
  const bytes = await ports.packs.open(account, pack, entry.path);
  if (bytes === null) {
    throw new FillbookError("untrusted", `${pack.period}/${pack.version}/${entry.path} is listed, and is gone`);
  }
  return checkedBytes(bytes, entry);
}

/** RFC 6266: to be kept under this name, and never to be shown. */
function attachment(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, "_");
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

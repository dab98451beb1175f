import { findVersions, openPack } from "../data/pack-files.ts";
import type { Page, PageMiddleware } from "../page-context.ts";
import { notThere, roleOf } from "./answers.ts";
import { sendFile, sendZip, showReport } from "./downloads.ts";
import { dropInput, sendInput, showInputs, takeInput } from "./inputs.ts";
import { job, makeForm, startJob, stopJob } from "./jobs.ts";
import { accounts, history, overview, packVersion } from "./pages.ts";

/** Where a file is put up, by POST. */
export const UPLOADS = "/a/:account/files";

const PACK = "/a/:account/p/:period/:version";

/** All routes for signed-in users. */
export const ROUTES: Readonly<Record<string, Partial<Readonly<Record<"GET" | "POST", Page>>>>> = {
  "/": { GET: accounts },
  "/a/:account": { GET: overview },
  "/a/:account/make": { GET: makeForm },
  "/a/:account/history": { GET: history },
  [UPLOADS]: { GET: showInputs, POST: takeInput },
  "/a/:account/files/file": { GET: sendInput },
  "/a/:account/files/remove": { POST: dropInput },
  "/a/:account/jobs": { POST: startJob },
  "/a/:account/jobs/:id": { GET: job },
  "/a/:account/jobs/:id/stop": { POST: stopJob },
  [PACK]: { GET: packVersion },
  [`${PACK}/report`]: { GET: showReport },
  [`${PACK}/file`]: { GET: sendFile },
  [`${PACK}/zip`]: { GET: sendZip },
};

/**
 * Lets on to an existing account, or to several together, which the user may see. There is no other way to a route of
 * an account.
 */
export const ofAccount: PageMiddleware = async (c, next) => {
  const account = c.req.param("account") ?? "";
  const { ports, visitor } = c.var;
  const role = roleOf(visitor, account);
  const isArchive = role !== null && (await ports.accounts()).includes(account);
  if (role === null || !(isArchive || (await ports.groups()).includes(account))) {
    return notThere(c, "no account of theirs");
  }
  c.set("account", account);
  c.set("isGroup", !isArchive);
  c.set("stores", ports.storesOf(account));
  c.set("role", role);
  return await next();
};

/** Lets on to what several accounts together do not have. */
export const ofArchive: PageMiddleware = (c, next) =>
  c.var.isGroup ? Promise.resolve(notThere(c, "no archive")) : next();

/** Lets on to one version of a period, as the stores have it. */
export const ofPack: PageMiddleware = async (c, next) => {
  const versions = await findVersions(c.var.stores, c.req.param("period") ?? "");
  const found = versions.find(({ version }) => version === c.req.param("version"));
  if (found === undefined) {
    return notThere(c, "no such pack");
  }
  c.set("pack", await openPack(c.var.stores, found));
  return await next();
};

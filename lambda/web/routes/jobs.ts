import { usageError } from "../../core/errors.ts";
import { MATCHES } from "../../inputs/files.ts";
import { viewArchive } from "../data/archives.ts";
import { listInputs } from "../data/inputs.ts";
import { packPeriods } from "../data/versions.ts";
import { readMakeRequest } from "../make-request-form.ts";
import type { PageContext } from "../page-context.ts";
import type { JobState, Obstacle } from "../ports.ts";
import { jobPage, mayStart } from "../views/jobs.ts";
import { jobLink } from "../views/links.ts";
import { type MakeView, makePage } from "../views/make.ts";
import { problemPage } from "../views/notices.ts";
import { obstacleIn, page, refuse, seeOther } from "./answers.ts";

export async function job(c: PageContext): Promise<Response> {
  const { role } = c.var;
  const state = await askedJob(c);
  return state === null ? unknown(c) : page(c, jobPage({ job: state, role }));
}

async function askedJob(c: PageContext): Promise<JobState | null> {
  return await c.var.ports.jobs.find(c.var.account, c.req.param("id") ?? "");
}

function unknown(c: PageContext): Response {
  return impossible(c, "no such job", 404, {
    message: "this job never existed or is no longer listed",
    hint: "jobs are listed until fillbook serve ends, and on AWS for 90 days; what they read and made is kept",
  });
}

/** The form of a pack. */
export async function makeForm(c: PageContext): Promise<Response> {
  return page(c, await madeForm(c, null));
}

async function madeForm(c: PageContext, refused: MakeView["refused"]) {
  const { ports, account, stores } = c.var;
  const [archive, periods, inputs] = await Promise.all([viewArchive(stores), packPeriods(stores), listInputs(stores)]);
  const cannotAsk = ports.cannotAsk(account);
  return makePage({ account, archive, periods, inputs, cannotAsk, refused, now: ports.now() });
}

/** Starts the requested job and leads to its page, or shows the form again and what is wrong. */
export async function startJob(c: PageContext): Promise<Response> {
  const { ports, visitor, account, stores, role, fields } = c.var;
  try {
    const asked = readMakeRequest(account, fields, ports.now());
    if (!mayStart(asked, role)) {
      return forOperators(c, asked.kind);
    }
    if (asked.method === "specific" && (await listInputs(stores)).every(({ name }) => name !== MATCHES)) {
      const what = `Specific identification needs ${MATCHES}: which lots each closing fill closes`;
      throw usageError(what, "upload it under Files, or choose another method");
    }
    const { id } = await ports.jobs.start(asked, visitor.user);
    return seeOther(c, jobLink(account, id));
  } catch (error) {
    const problem = obstacleIn(error);
    return refuse(c, problem.message, await madeForm(c, { fields, problem }), 400);
  }
}

/** Asks a running job to end, and leads back to its page. */
export async function stopJob(c: PageContext): Promise<Response> {
  const { ports, account, role } = c.var;
  const state = await askedJob(c);
  if (state === null) {
    return unknown(c);
  }
  if (!mayStart(state.request, role)) {
    return forOperators(c, state.request.kind);
  }
  await ports.jobs.stop(account, state.id);
  return seeOther(c, jobLink(account, state.id));
}

function forOperators(c: PageContext, kind: string): Response {
  return impossible(c, `${kind} is not for accountants`, 403, {
    message: "only an operator may do this",
    hint: "ask an operator of this account",
  });
}

function impossible(c: PageContext, why: string, status: 403 | 404, problem: Obstacle): Response {
  return refuse(c, why, problemPage(c.var.account, problem), status);
}

import { TAX_YEARS } from "../../core/tax-years.ts";
import { MATCHES } from "../../inputs/files.ts";
import { viewArchive } from "../data/archives.ts";
import { inputNames, listAllInputs, listInputs } from "../data/input-files.ts";
import { goneFrom, newestMadeWith } from "../data/standing.ts";
import { newestFirst, packPeriods } from "../data/versions.ts";
import { FieldError, refusalOf } from "../field-error.ts";
import { periodOf, readMakeRequest } from "../make-request-form.ts";
import { likelyCountry } from "../offers.ts";
import type { PageContext } from "../page-context.ts";
import type { JobState, MakeRequest, Obstacle } from "../ports.ts";
import type { SentBack } from "../views/forms.ts";
import type { PageParts } from "../views/frame.ts";
import { jobPage, mayStart } from "../views/jobs.ts";
import { jobLink } from "../views/links.ts";
import { makePage, WITHOUT } from "../views/make.ts";
import { problemPage } from "../views/notices.ts";
import { page, refuse, seeOther } from "./answers.ts";

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

/** The form of a pack; after a refused form, with its errors. */
export async function makeForm(c: PageContext): Promise<Response> {
  return page(c, await madeForm(c, c.req.query("country"), null));
}

async function madeForm(c: PageContext, asked: string | undefined, refused: SentBack | null): Promise<PageParts> {
  const { ports, account, stores } = c.var;
  const [archive, periods, files] = await Promise.all([
    viewArchive(stores),
    packPeriods(stores),
    listAllInputs(stores),
  ]);
  const known = TAX_YEARS.find(({ code }) => code === asked)?.code;
  const country = known ?? likelyCountry(newestFirst(periods));
  const cannotAsk = ports.cannotAsk(account);
  const view = { account, archive, country, cannotAsk, refused, ...inputNames(files) };
  return makePage({ ...view, now: ports.now() });
}

/** Starts the requested job and leads to its page, or shows the form again with its errors. */
export async function startJob(c: PageContext): Promise<Response> {
  const { ports, visitor, account, role, fields } = c.var;
  try {
    const asked = readMakeRequest(account, fields, ports.now());
    if (!mayStart(asked, role)) {
      return forOperators(c, asked.kind);
    }
    if (asked.kind === "export") {
      await checkMethod(asked, c);
      await checkFiles(asked, c);
    }
    const { id } = await ports.jobs.start(asked, visitor.user);
    return seeOther(c, jobLink(account, id));
  } catch (error) {
    const refused = { ...refusalOf(error), fields };
    return refuse(c, refused.problem.message, await madeForm(c, fields.get("country") ?? undefined, refused), 400);
  }
}

/** Refuses a pack that could only fail: its method lacks a file. Throws a FieldError. */
async function checkMethod({ method }: MakeRequest, c: PageContext): Promise<void> {
  if (method === "specific" && !(await listInputs(c.var.stores)).some(({ name }) => name === MATCHES)) {
    const message = `Specific identification needs ${MATCHES}: which lots each closing fill closes`;
    const hint = "upload it under Files, or choose another method";
    throw new FieldError("method", { message, hint });
  }
}

/**
 * Refuses a pack for whose period the newest one was made with files that are gone, or may be, until the user says
 * that it is to be made without: they send back the message. Throws a FieldError.
 */
async function checkFiles(asked: MakeRequest, c: PageContext): Promise<void> {
  const { stores, fields } = c.var;
  const madeWith = await newestMadeWith(stores, periodOf(asked).name);
  const gone = madeWith && goneFrom(madeWith, await listInputs(stores));
  const message =
    gone === null
      ? "it is not known which files the newest pack of this period was made with"
      : `the newest pack of this period was made with ${gone.join(", ")}, and this one would not be`;
  if (gone?.length !== 0 && fields.get(WITHOUT) !== message) {
    throw new FieldError(WITHOUT, { message, hint: "check your files first: its figures may differ" });
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
  const { account } = c.var;
  return refuse(c, why, problemPage(account, problem), status);
}

import { TAX_YEARS } from "../../core/tax-years.ts";
import { counted } from "../../core/text.ts";
import { MATCHES } from "../../inputs/files.ts";
import { viewArchive } from "../data/archives.ts";
import { inputNames, listAllInputs, listInputs } from "../data/input-files.ts";
import { goneFrom, newestMadeWith } from "../data/standing.ts";
import { newestFirst, packPeriods } from "../data/versions.ts";
import { FieldError, refusalOf } from "../field-error.ts";
import { periodOf, readMakeRequest } from "../make-request-form.ts";
import { daysToRead, likelyCountry } from "../offers.ts";
import type { AccountStores } from "../packs.ts";
import type { PageContext } from "../page-context.ts";
import type { JobState, MakeRequest, Obstacle } from "../ports.ts";
import type { PageParts } from "../views/frame.ts";
import { jobPage, mayStart } from "../views/jobs.ts";
import { jobLink } from "../views/links.ts";
import { makePage, type Refused } from "../views/make.ts";
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

async function madeForm(c: PageContext, asked: string | undefined, refused: Refused | null): Promise<PageParts> {
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

/** The form as it was sent, with what is wrong with it. */
async function formAgain(c: PageContext, why: string, status: 400 | 409, refused: Omit<Refused, "fields">) {
  const { fields } = c.var;
  const markup = await madeForm(c, fields.get("country") ?? undefined, { ...refused, fields });
  return refuse(c, why, markup, status);
}

/** Starts the requested job and leads to its page, or shows the form again with its errors. */
export async function startJob(c: PageContext): Promise<Response> {
  const { ports, visitor, account, role, fields } = c.var;
  try {
    const asked = readMakeRequest(account, fields, ports.now());
    if (!mayStart(asked, role)) {
      return forOperators(c, asked.kind);
    }
    const question = asked.kind === "export" ? await questionOf(asked, c) : null;
    if (question !== null) {
      return question;
    }
    const { id } = await ports.jobs.start(asked, visitor.user);
    return seeOther(c, jobLink(account, id));
  } catch (error) {
    const refused = refusalOf(error);
    return await formAgain(c, refused.problem.message, 400, { ...refused, gone: null });
  }
}

/**
 * The form again, if files are gone, or may be, and the user did not agree to do without. Throws a
 * FieldError.
 */
async function questionOf(request: MakeRequest, c: PageContext): Promise<Response | null> {
  await checkPossible(request, c);
  const gone = await goneInputs(c.var.stores, periodOf(request).name);
  if (gone?.length === 0 || (gone ?? []).join(" ") === c.var.fields.get("without")) {
    return null;
  }
  const [message, why] =
    gone === null
      ? ["it is not known which files the newest pack of this period was made with", "the newest pack cannot be read"]
      : [
          `the newest pack of this period was made with ${gone.join(", ")}, and this one would not be`,
          "files of the newest pack are gone",
        ];
  return await formAgain(c, why, 409, { problem: { message }, field: null, gone: gone ?? [] });
}

/**
 * Refuses a pack that could only fail: its method lacks a file, or its period lacks fills that cannot be
 * read. Throws a FieldError.
 */
async function checkPossible(asked: MakeRequest, c: PageContext): Promise<void> {
  const { ports, account, stores } = c.var;
  if (asked.method === "specific" && !(await listInputs(stores)).some(({ name }) => name === MATCHES)) {
    const message = `Specific identification needs ${MATCHES}: which lots each closing fill closes`;
    const hint = "upload it under Files, or choose another method";
    throw new FieldError("method", { message, hint });
  }
  const obstacle = ports.cannotAsk(account);
  if (obstacle === null) {
    return;
  }
  const lacking = daysToRead(periodOf(asked), await viewArchive(stores), ports.now());
  if (lacking > 0) {
    const message = `the archive lacks ${counted(lacking, "day")} that this pack needs, and they cannot be read: ${obstacle.message}`;
    const field = asked.period === undefined ? "last" : "period";
    throw new FieldError(field, { message, hint: obstacle.hint ?? "choose another period" });
  }
}

/**
 * Names of files that the period's newest pack was made with, and that the user's files do not have. Null:
 * that pack cannot be read.
 */
async function goneInputs(stores: AccountStores, period: string): Promise<readonly string[] | null> {
  const madeWith = await newestMadeWith(stores, period);
  return madeWith && goneFrom(madeWith, await listInputs(stores));
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

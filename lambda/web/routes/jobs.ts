import { FillbookError } from "../../core/errors.ts";
import { TAX_YEARS } from "../../core/tax-years.ts";
import { counted } from "../../core/text.ts";
import { MATCHES } from "../../inputs/files.ts";
import { viewArchive } from "../data/archives.ts";
import { inputNames, listAllInputs, listInputs } from "../data/input-files.ts";
import { goneFrom, newestMadeWith } from "../data/standing.ts";
import { newestFirst, packPeriods } from "../data/versions.ts";
import { FieldError, forPeople } from "../field-error.ts";
import { periodOf, readMakeRequest } from "../make-request-form.ts";
import { daysToRead, likelyCountry } from "../offers.ts";
import type { MakeRequest } from "../ports.ts";
import type { PageAnswer } from "../request.ts";
import { jobPage, mayStart } from "../views/jobs.ts";
import { accountLink, jobLink } from "../views/links.ts";
import { makePage, type Refused } from "../views/make.ts";
import { problemPage } from "../views/notices.ts";
import { page, seeOther } from "./answers.ts";
import type { AccountRoute, RouteContext } from "./route-context.ts";

export async function job(context: RouteContext, place: AccountRoute): Promise<PageAnswer> {
  const state = await context.ports.jobs.find(place.account, place.names["id"] ?? "");
  if (state === null) {
    return unknown(context, place);
  }
  return page(jobPage(context.visitor, { job: state, role: place.role }));
}

function unknown({ visitor }: RouteContext, { account }: AccountRoute): PageAnswer {
  const problem = {
    message: "this job never existed or is no longer listed",
    hint: "jobs are listed until fillbook serve ends, and on AWS for 90 days; what they read and made is kept",
  };
  const shown = problemPage(visitor, { ...problem, account, back: accountLink(account) });
  return { ...page(shown, 404), refused: "no such job" };
}

/** The form of a pack; after a refused form, with its errors. */
export async function makeForm(context: RouteContext, place: AccountRoute): Promise<PageAnswer> {
  return page(await madeForm(context, place, context.request.query.get("country"), null));
}

async function madeForm(
  { ports, visitor, methods }: RouteContext,
  { account, stores }: AccountRoute,
  asked: string | null,
  refused: Refused | null,
): Promise<string> {
  const [archive, periods, files] = await Promise.all([
    viewArchive(stores),
    packPeriods(stores),
    listAllInputs(stores),
  ]);
  const known = TAX_YEARS.find(({ code }) => code === asked)?.code;
  const country = known ?? likelyCountry(newestFirst(periods));
  const cannotAsk = ports.cannotAsk(account);
  const view = { account, archive, methods, country, cannotAsk, refused, ...inputNames(files) };
  return makePage(visitor, { ...view, now: ports.now() });
}

/** Starts the requested job and leads to its page, or shows the form again with its errors. */
export async function startJob(context: RouteContext, place: AccountRoute): Promise<PageAnswer> {
  const { ports, visitor, methods } = context;
  const { account, role } = place;
  const { fields } = context.form;
  try {
    const asked = readMakeRequest(account, fields, { methods, now: ports.now() });
    if (!mayStart(asked, role)) {
      return forOperators(context, place, asked.kind);
    }
    const question = asked.kind === "export" ? await questionOf(asked, context, place) : null;
    if (question !== null) {
      return question;
    }
    const { id } = await ports.jobs.start(asked, visitor.user);
    return seeOther(jobLink(account, id));
  } catch (error) {
    if (!(error instanceof FillbookError && error.kind === "usage")) {
      throw error;
    }
    const field = error instanceof FieldError ? error.field : null;
    const refused = { fields, problem: forPeople(error), field, gone: null };
    return { ...page(await madeForm(context, place, fields.get("country"), refused), 400), refused: error.message };
  }
}

/**
 * The form again, if files are gone, or may be, and the user did not agree to do without. Throws a
 * FieldError.
 */
async function questionOf(
  request: MakeRequest,
  context: RouteContext,
  place: AccountRoute,
): Promise<PageAnswer | null> {
  const { fields } = context.form;
  await checkPossible(request, context, place);
  const gone = await goneInputs(place, periodOf(request).name);
  if (gone?.length === 0 || (gone ?? []).join(" ") === fields.get("without")) {
    return null;
  }
  const [message, refused] =
    gone === null
      ? ["it is not known which files the newest pack of this period was made with", "the newest pack cannot be read"]
      : [
          `the newest pack of this period was made with ${gone.join(", ")}, and this one would not be`,
          "files of the newest pack are gone",
        ];
  const asked = { fields, problem: { message }, field: null, gone: gone ?? [] };
  return { ...page(await madeForm(context, place, fields.get("country"), asked), 409), refused };
}

/**
 * Refuses a pack that could only fail: its method lacks a file, or its period lacks fills that cannot be
 * read. Throws a FieldError.
 */
async function checkPossible(
  asked: MakeRequest,
  { ports }: RouteContext,
  { account, stores }: AccountRoute,
): Promise<void> {
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
async function goneInputs({ stores }: AccountRoute, period: string): Promise<readonly string[] | null> {
  const madeWith = await newestMadeWith(stores, period);
  return madeWith && goneFrom(madeWith, await listInputs(stores));
}

/** Asks a running job to end, and leads back to its page. */
export async function stopJob(context: RouteContext, place: AccountRoute): Promise<PageAnswer> {
  const { jobs } = context.ports;
  const { account, role, names } = place;
  const state = await jobs.find(account, names["id"] ?? "");
  if (state === null) {
    return unknown(context, place);
  }
  if (!mayStart(state.request, role)) {
    return forOperators(context, place, state.request.kind);
  }
  await jobs.stop(account, state.id);
  return seeOther(jobLink(account, state.id));
}

function forOperators({ visitor }: RouteContext, { account }: AccountRoute, kind: string): PageAnswer {
  const problem = { message: "only an operator may do this", hint: "ask an operator of this account" };
  const shown = problemPage(visitor, { ...problem, account, back: accountLink(account) });
  return { ...page(shown, 403), refused: `${kind} is not for accountants` };
}

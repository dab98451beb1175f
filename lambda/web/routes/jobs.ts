import { FillbookError } from "../../core/errors.ts";
import { readMakeRequest } from "../make-request-form.ts";
import type { MakeRequest } from "../ports.ts";
import type { PageAnswer } from "../request.ts";
import { jobPage, unknownJobPage } from "../views/jobs.ts";
import { accountLink, jobLink } from "../views/links.ts";
import { problemPage } from "../views/notices.ts";
import { page, seeOther } from "./answers.ts";
import type { AccountRoute, RouteContext } from "./route-context.ts";

/** What an accountant may ask for; all else is an operator's. */
const FOR_ACCOUNTANTS: readonly MakeRequest["kind"][] = ["export"];

export async function job(
  { ports, visitor }: RouteContext,
  { account, role, names }: AccountRoute,
): Promise<PageAnswer> {
  const state = await ports.jobs.find(account, names["id"] ?? "");
  return state === null
    ? { ...page(unknownJobPage(visitor, account), 404), refused: "no such job" }
    : page(jobPage(visitor, state, role));
}

/** Starts what the form asks for, and leads to its page; or says what is wrong with it. */
export async function startJob(visit: RouteContext, { account, role }: AccountRoute): Promise<PageAnswer> {
  const { ports, visitor, methods, request } = visit;
  try {
    const fields = new URLSearchParams(Buffer.from(request.body).toString());
    const asked = readMakeRequest(account, fields, { methods, now: ports.now() });
    if (role !== "operator" && !FOR_ACCOUNTANTS.includes(asked.kind)) {
      const problem = { message: "this is for operators", hint: "ask one of them to do it" };
      return { ...problemAnswer(visit, account, problem, 403), refused: `${asked.kind} is not for accountants` };
    }
    const { id } = await ports.jobs.start(asked, visitor.user);
    return seeOther(jobLink(account, id));
  } catch (error) {
    if (!(error instanceof FillbookError && error.kind === "usage")) {
      throw error;
    }
    return { ...problemAnswer(visit, account, error, 400), refused: error.message };
  }
}

function problemAnswer(
  { visitor }: RouteContext,
  account: string,
  { message, hint = "" }: Pick<FillbookError, "message" | "hint">,
  status: number,
): PageAnswer {
  // Some hints say what to type on a command line.
  const shown = hint === "" || hint.includes("--") ? null : hint;
  const back = `${accountLink(account)}#make`;
  return page(problemPage(visitor, { message, hint: shown, account, back }), status);
}

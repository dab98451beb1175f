import type { TimeRange } from "../core/time.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import { type ChainAnswer, type ChainEnd, type ChainOptions, Pages, refused } from "./pages.ts";

const EMPTY_CURSOR = refused({ why: "cursor", detail: "the service gives an empty cursor behind a full page" });

export type Ask = (request: PageRequest) => Promise<PageAnswer>;

/** Reads a window by one chain, page by page. */
export async function readChain(ask: Ask, window: TimeRange, options: ChainOptions): Promise<ChainAnswer> {
  const dates = { startDate: options.asked.from, endDate: options.asked.to };
  const pages = new Pages(window, options);
  let start: string | undefined;
  for (;;) {
    let answer: PageAnswer;
    try {
      answer = await ask(start === undefined ? dates : { ...dates, start });
    } catch (error) {
      return pages.brokenOff(error);
    }
    const ended = pages.wasFull ? EMPTY_CURSOR : ({ kind: "whole" } as const);
    const went = answer.kind === "page" ? pages.take(answer) : refusalOf(answer);
    const end = start === "" && isNothing(answer, pages) ? ended : went;
    if (end !== null) {
      return pages.ended(end);
    }
    start = (answer as { readonly last: string }).last;
  }
}

/** "" may be a cursor, or say that there is none: then it is refused, or page one comes again. */
function isNothing(answer: PageAnswer, { idle }: Pages): boolean {
  return answer.kind !== "page" || (answer.rows.length > 0 ? idle > 0 : answer.last === "");
}

function refusalOf(answer: Exclude<PageAnswer, { kind: "page" }>): ChainEnd {
  return answer.kind === "range-refused"
    ? refused({ why: "range", detail: answer.problem.message, problem: answer.problem })
    : refused({ why: "cursor", detail: `the service refuses its own cursor (${answer.status})` });
}

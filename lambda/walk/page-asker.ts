import type { OpenWindow } from "../archive/manifest.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import type { ChainPorts } from "./chain-ports.ts";
import { shortestAfter } from "./knowledge.ts";
import { isTie } from "./row-order.ts";
import { askingsNeeded } from "./silence.ts";

type Page = Extract<PageAnswer, { kind: "page" }>;

/** Asks for the pages of one chain; one that seems to be the last, and may have been cut, several times. */
export class PageAsker {
  /** Least rows of a page that another may follow, by this chain or as known before it; undefined: not known. */
  #shortest: number | undefined;
  #askings: number;
  #isBelieved = false;

  constructor(shortest: number | undefined, falseEnds: boolean) {
    this.#shortest = shortest;
    this.#askings = askingsNeeded(falseEnds);
  }

  /** The last page could have been cut by mistake, and is believed because it came each time. */
  get isBelieved(): boolean {
    return this.#isBelieved;
  }

  async ask(ports: ChainPorts, window: OpenWindow, request: PageRequest): Promise<PageAnswer> {
    const { reader, signal, onFalseEnd } = ports;
    let answer = await reader.completedOrders(request, signal);
    this.#isBelieved = false;
    for (let asked = 1; answer.kind === "page" && this.#mayBeCut(window, answer); asked += 1) {
      if (asked >= this.#askings) {
        this.#isBelieved = true;
        break;
      }
      const other = await reader.completedOrders(request, signal);
      if (other.kind !== "page") {
        // A cursor may serve only once.
        this.#isBelieved = true;
        break;
      }
      if (other.last !== undefined || other.rows.length > answer.rows.length) {
        this.#askings = askingsNeeded(true);
        onFalseEnd?.();
      }
      answer = other.last === undefined && other.rows.length === 0 ? answer : other;
    }
    return answer;
  }

  /** A page without `last` that is empty, or as full as others that had one, may have lost it. */
  #mayBeCut({ lowest, dated }: OpenWindow, { rows, last }: Page): boolean {
    const isFull = rows.length > 0 && rows.length >= (this.#shortest ?? Number.POSITIVE_INFINITY);
    if (last !== undefined && rows.length > 0) {
      this.#shortest = shortestAfter(this.#shortest, rows.length);
    }
    // A chain without rows is silence, which the walk asks for again by itself; without dates there is nothing else to ask.
    const isEmpty = rows.length === 0 && !(lowest === null && dated);
    return last === undefined && (isFull || isEmpty || isTie(rows));
  }
}

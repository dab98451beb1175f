import type { OpenWindow } from "../archive/manifest.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import type { ChainPorts } from "./chain-ports.ts";
import { shortestAfter } from "./knowledge.ts";
import { isTie } from "./row-order.ts";
import { askingsNeeded } from "./silence.ts";

/** How often an empty page is asked for when the pages before it had no rows either. */
const ASKINGS_WHERE_SILENT = 2;

type Page = Extract<PageAnswer, { kind: "page" }>;

/** `isAtEnd`: a cursor that had led to a last page was refused. */
type AskedPage = PageAnswer | (Extract<PageAnswer, { kind: "cursor-refused" }> & { readonly isAtEnd: true });

/**
 * Asks for the pages of one chain. A page that looks like the last one, and may have been cut, is asked for
 * several times.
 */
export class PageAsker {
  /** The fewest rows of a page that another page followed, in this chain or before. Undefined: not known. */
  #shortest: number | undefined;
  readonly #servesOnce: boolean;
  #askings: number;
  #isBelieved = false;

  /**
   * `servesOnce`: the end came as often as needed, and its cursor was refused each time it was asked for
   * again.
   */
  constructor(shortest: number | undefined, falseEnds: boolean, servesOnce: boolean) {
    this.#shortest = shortest;
    this.#servesOnce = servesOnce;
    this.#askings = askingsNeeded(falseEnds);
  }

  /** True when the last page may have been cut by mistake, and came the same each time. */
  get isBelieved(): boolean {
    return this.#isBelieved;
  }

  async ask(ports: ChainPorts, window: OpenWindow, request: PageRequest): Promise<AskedPage> {
    const { reader, signal } = ports;
    let answer = await reader.completedOrders(request, signal);
    this.#isBelieved = false;
    for (let asked = 1; answer.kind === "page" && this.#mayBeCut(window, answer); asked += 1) {
      if (asked >= this.#askingsOf(window, answer)) {
        this.#isBelieved = true;
        break;
      }
      const other = await reader.completedOrders(request, signal);
      if (other.kind !== "page") {
        return this.#refused(answer, other);
      }
      answer = this.#fuller(answer, other, ports);
    }
    return answer;
  }

  /** A chain without rows is silence. The walk asks for silence again by itself. */
  #askingsOf({ lowest, dated }: OpenWindow, { rows }: Page): number {
    return lowest === null && dated && rows.length === 0 ? ASKINGS_WHERE_SILENT : this.#askings;
  }

  #fuller(answer: Page, other: Page, { onFalseEnd }: ChainPorts): Page {
    if (other.last !== undefined || other.rows.length > answer.rows.length) {
      this.#askings = askingsNeeded(true);
      onFalseEnd?.();
    }
    return other.last === undefined && other.rows.length === 0 ? answer : other;
  }

  #refused(answer: Page, other: Exclude<PageAnswer, Page>): AskedPage {
    if (other.kind !== "cursor-refused") {
      return other;
    }
    this.#isBelieved = this.#servesOnce;
    return this.#servesOnce ? answer : { ...other, isAtEnd: true };
  }

  /** A page without `last` may have lost it if it is empty, or as full as pages that had one. */
  #mayBeCut({ pages, dated }: OpenWindow, { rows, last }: Page): boolean {
    const isFull = rows.length > 0 && rows.length >= (this.#shortest ?? Number.POSITIVE_INFINITY);
    if (last !== undefined && rows.length > 0) {
      this.#shortest = shortestAfter(this.#shortest, rows.length);
    }
    // An empty first page is silence. Without dates there is nothing else to ask for.
    const isEmpty = rows.length === 0 && !(pages === 0 && dated);
    return last === undefined && (isFull || isEmpty || isTie(rows));
  }
}

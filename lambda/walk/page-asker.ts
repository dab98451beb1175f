import type { OpenWindow } from "../archive/manifest.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import type { ChainPorts } from "./chain-ports.ts";
import { shortestAfter } from "./knowledge.ts";
import { isTie } from "./row-order.ts";
import { askingsNeeded } from "./silence.ts";

/** Of an empty page that follows others without rows. */
const ASKINGS_WHERE_SILENT = 2;

type Page = Extract<PageAnswer, { kind: "page" }>;

/** `isAtEnd`: a cursor that had led to a last page was refused. */
type AskedPage = PageAnswer | (Extract<PageAnswer, { kind: "cursor-refused" }> & { readonly isAtEnd: true });

/** Asks for the pages of one chain; one that seems to be the last, and may have been cut, several times. */
export class PageAsker {
  /** Least rows of a page that another may follow, by this chain or as known before it; undefined: not known. */
  #shortest: number | undefined;
  readonly #servesOnce: boolean;
  #askings: number;
  #isBelieved = false;

  /** `servesOnce`: its end came as often as an end has to, each time by a cursor that was refused when it was asked for again. */
  constructor(shortest: number | undefined, falseEnds: boolean, servesOnce: boolean) {
    this.#shortest = shortest;
    this.#servesOnce = servesOnce;
    this.#askings = askingsNeeded(falseEnds);
  }

  /** The last page could have been cut by mistake, and is believed because it came each time. */
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

  /** A chain without rows is silence, which the walk asks for again by itself. */
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

  /** A page without `last` that is empty, or as full as others that had one, may have lost it. */
  #mayBeCut({ pages, dated }: OpenWindow, { rows, last }: Page): boolean {
    const isFull = rows.length > 0 && rows.length >= (this.#shortest ?? Number.POSITIVE_INFINITY);
    if (last !== undefined && rows.length > 0) {
      this.#shortest = shortestAfter(this.#shortest, rows.length);
    }
    // A first page that is empty is silence; without dates there is nothing else to ask.
    const isEmpty = rows.length === 0 && !(pages === 0 && dated);
    return last === undefined && (isFull || isEmpty || isTie(rows));
  }
}

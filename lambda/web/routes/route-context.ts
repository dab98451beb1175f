import type { PagePorts } from "../ports.ts";
import type { PageAnswer, PageRequest, Visitor } from "../request.ts";
import type { Frame } from "../views/frame.ts";

/** What every route works with. */
export interface RouteContext {
  readonly ports: PagePorts;
  /** Names of the methods of accounting; the first is the default. */
  readonly methods: readonly string[];
  readonly request: PageRequest;
  readonly visitor: Visitor;
  readonly frame: Frame;
}

/** An answer that is not what was asked for; `why` is for the log alone. */
export interface Refused {
  readonly refused: string;
  readonly answer: PageAnswer;
}

export type Reply = PageAnswer | Refused;

/** Words of the path by their names in the pattern: decoded, and nothing more. */
export type PathNames = Readonly<Record<string, string>>;

export type Handler<Place> = (visit: RouteContext, place: Place) => Promise<Reply>;

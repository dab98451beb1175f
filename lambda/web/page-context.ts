import type { Context, MiddlewareHandler } from "hono";
import type { AccountStores, PackDetails } from "./packs.ts";
import type { PagePorts, Role, User } from "./ports.ts";

/** The signed-in user, as the host knows from the session. */
export interface Visitor {
  readonly user: User;
  /** What comes before the page's own paths in the browser's address: empty, or a slash and a name. */
  readonly root: string;
}

/** What a request's context holds besides the request. */
export interface PageEnv {
  readonly Variables: {
    readonly ports: PagePorts;
    /** Set by the host; every route but the public ones requires it. */
    readonly visitor: Visitor;
    /** Of the path, if it exists and the user may see it: without these, no route below `/a/:account` runs. */
    readonly account: string;
    /** True: the name of several accounts together. It has packs, and no archive. */
    readonly isGroup: boolean;
    readonly stores: AccountStores;
    readonly role: Role;
    /** Of the path: routes below `/p/:period/:version`. */
    readonly pack: PackDetails;
    /** What a form sent. */
    readonly fields: URLSearchParams;
    readonly file: File | null;
    /** Why the answer is a refusal: a few words, for the log only. */
    readonly refused: string;
  };
}

export type PageContext = Context<PageEnv>;
export type PageMiddleware = MiddlewareHandler<PageEnv>;
export type Page = (c: PageContext) => Promise<Response> | Response;

/** A request that was refused. */
export interface Refusal {
  readonly user: string;
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  readonly status: number;
  /** A few words, for the log only. */
  readonly why: string;
}

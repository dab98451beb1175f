import { findPack } from "../data/catalogue.ts";
import type { SentForm } from "../multipart.ts";
import type { AccountStores, PackDetails } from "../packs.ts";
import type { PagePorts, Role } from "../ports.ts";
import type { PageAnswer, PageRequest, Visitor } from "../request.ts";
import { notThere } from "./answers.ts";

/** What every route receives. */
export interface RouteContext {
  readonly ports: PagePorts;
  /** Names of the methods of accounting; the first is the default. */
  readonly methods: readonly string[];
  readonly request: PageRequest;
  /** What a post sent; of another request, nothing. */
  readonly form: SentForm;
  readonly visitor: Visitor;
}

/** The parts of the path by their names in the pattern: decoded, not checked. */
export type PathNames = Readonly<Record<string, string>>;

export type Handler<Place> = (context: RouteContext, place: Place) => Promise<PageAnswer>;

export interface AccountRoute {
  readonly account: string;
  readonly stores: AccountStores;
  /** The user's role in this account. */
  readonly role: Role;
  readonly names: PathNames;
}

export interface PackRoute {
  readonly account: string;
  readonly stores: AccountStores;
  readonly pack: PackDetails;
}

/**
 * Wraps a handler of an existing account that the user may see. There is no other way to a handler with an
 * account.
 */
export function withAccount(handler: Handler<AccountRoute>): Handler<PathNames> {
  return async (context, names) => {
    const { account: asked = "" } = names;
    const role = context.visitor.user.roleIn(asked);
    const account = role === null ? undefined : (await context.ports.accounts()).find((one) => one === asked);
    return role === null || account === undefined
      ? notThere("no account of theirs")
      : await handler(context, { account, stores: context.ports.storesOf(account), role, names });
  };
}

/** Wraps a handler of one version of a period, as the stores have it. */
export function withPack(handler: Handler<PackRoute>): Handler<PathNames> {
  return withAccount(async (context, { account, stores, names }) => {
    const pack = await findPack(stores, names["period"] ?? "", names["version"] ?? "");
    return pack === null ? notThere("no such pack") : await handler(context, { account, stores, pack });
  });
}

import type { PackDetails, Role } from "../ports.ts";
import { notThere } from "./answers.ts";
import type { Handler, PathNames } from "./route-context.ts";

export interface AccountRoute {
  readonly account: string;
  /** What the user is there. */
  readonly role: Role;
  readonly names: PathNames;
}

export interface PackRoute {
  readonly account: string;
  readonly pack: PackDetails;
}

/** For an account that the user may use and that there is: the only way to a handler that is given one. */
export function withAccount(handler: Handler<AccountRoute>): Handler<PathNames> {
  return async (visit, names) => {
    const { account: asked = "" } = names;
    const role = visit.visitor.user.roleIn(asked);
    const account = role === null ? undefined : (await visit.ports.accounts()).find((one) => one === asked);
    return role === null || account === undefined
      ? notThere("no account of theirs")
      : await handler(visit, { account, role, names });
  };
}

/** For one version of one period, as the catalogue knows it. */
export function withPack(handler: Handler<PackRoute>): Handler<PathNames> {
  return withAccount(async (visit, { account, names }) => {
    const pack = await visit.ports.packs.find(account, names["period"] ?? "", names["version"] ?? "");
    return pack === null ? notThere("no such pack") : await handler(visit, { account, pack });
  });
}

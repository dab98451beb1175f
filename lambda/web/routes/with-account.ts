import type { PackDetails, Role } from "../ports.ts";
import { notThere } from "./answers.ts";
import type { Handler, PathNames } from "./route-context.ts";

export interface AccountPlace {
  readonly account: string;
  /** What the user is there. */
  readonly role: Role;
  readonly names: PathNames;
}

export interface PackPlace {
  readonly account: string;
  readonly pack: PackDetails;
}

/** For an account that the user may use and that there is: the only way to a handler that is given one. */
export function onAccount(handler: Handler<AccountPlace>): Handler<PathNames> {
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
export function onPack(handler: Handler<PackPlace>): Handler<PathNames> {
  return onAccount(async (visit, { account, names }) => {
    const pack = await visit.ports.packs.find(account, names["period"] ?? "", names["version"] ?? "");
    return pack === null ? notThere("no such pack") : await handler(visit, { account, pack });
  });
}

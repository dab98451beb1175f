import { usageError } from "../../core/errors.ts";
import { RATES } from "../../inputs/files.ts";
import { inputKey, listInputs, putInput, type StoredInput } from "../data/inputs.ts";
import type { PageContext } from "../page-context.ts";
import type { Obstacle } from "../ports.ts";
import { inputsPage } from "../views/inputs.ts";
import { inputsLink } from "../views/links.ts";
import { notThere, obstacleIn, page, refuse, seeOther } from "./answers.ts";
import { sendStored } from "./downloads.ts";

/** The user's files, and the form that puts one up. */
export async function showInputs(c: PageContext): Promise<Response> {
  return page(c, await madePage(c, null));
}

async function madePage(c: PageContext, problem: Obstacle | null) {
  const { ports, account, stores } = c.var;
  const { mostFileBytes } = ports;
  return inputsPage({ account, inputs: await listInputs(stores), mostFileBytes, problem, put: c.req.query("put") });
}

/** Keeps the file that a form holds, if an export could use it; or shows the form again, and what is wrong. */
export async function takeInput(c: PageContext): Promise<Response> {
  const { account, stores, fields, file } = c.var;
  try {
    if (file === null || (file.name === "" && file.size === 0)) {
      throw usageError("no file was chosen", "choose a file");
    }
    const as = fields.get("as") ?? "";
    const name = as === RATES ? `${RATES}${file.name}` : as || file.name;
    await putInput(stores, name, await file.bytes());
    return seeOther(c, inputsLink(account, name));
  } catch (error) {
    const problem = obstacleIn(error);
    return refuse(c, "a file that cannot be used", await madePage(c, problem), 400);
  }
}

export async function dropInput(c: PageContext): Promise<Response> {
  const { account, stores, fields } = c.var;
  const found = await findInput(c, fields.get("name"));
  if (found !== undefined) {
    await stores.store.remove(inputKey(account, found.name));
  }
  return seeOther(c, inputsLink(account));
}

/** One file, as it is kept. */
export async function sendInput(c: PageContext): Promise<Response> {
  const { account, stores } = c.var;
  const found = await findInput(c, c.req.query("name") ?? null);
  const key = inputKey(account, found?.name ?? "");
  const open = async () => (await stores.store.openStream(key)) ?? [];
  return found === undefined
    ? notThere(c, "no such file of theirs")
    : await sendStored(c, { store: stores.store, key, name: found.name, bytes: found.bytes, open });
}

/** `name`: any text. */
async function findInput(c: PageContext, name: string | null): Promise<StoredInput | undefined> {
  return (await listInputs(c.var.stores)).find((one) => one.isReadable && one.name === name);
}

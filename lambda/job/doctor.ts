import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { readHead } from "../archive/head.ts";
import { asFillbookError, type ErrorKind, type FillbookError, usageError } from "../core/errors.ts";
import { errorCode, folderError } from "../storage/folder-errors.ts";
import { openMode } from "../storage/folder-files.ts";
import type { Store } from "../storage/store.ts";
import type { Components } from "./components.ts";
import { SCHEMA, type Settings } from "./settings.ts";
import { isFolder, placeIfRead } from "./store-place.ts";

/** The result of one check. */
export interface Finding {
  readonly what: string;
  readonly problem: FillbookError | null;
}

/** Checks whether the store can be used. Changes nothing. */
export async function inspectStore(open: () => Promise<Store>, account: string): Promise<readonly Finding[]> {
  try {
    const store = await open();
    const { location } = store;
    const archive = await archiveFinding(store, account);
    if (!isFolder(location)) {
      return [archive];
    }
    const mode = await openMode(location);
    const isOpen = `${location} is open to other users (mode ${mode}): chmod 700 it if they should have no access`;
    return [archive, await writableFinding(location), ...(mode === null ? [] : [{ what: isOpen, problem: null }])];
  } catch (error) {
    const problem = asFillbookError(error);
    return [{ what: `the store: ${problem.message}`, problem }];
  }
}

async function archiveFinding(store: Store, account: string): Promise<Finding> {
  const { location } = store;
  if ((await readHead(store, account)) !== null) {
    return { what: `${location} has the archive of account ${account}`, problem: null };
  }
  const { isArchive, meant } = await placeIfRead({ account, store });
  const what = `${location} has no archive of account ${account} yet`;
  const problem = isArchive ? usageError(`${location} is not a store`, meant ?? "check --store") : null;
  return { what: meant === null ? `${what}: the first sync creates it` : `${what}; ${meant}`, problem };
}

/** Whether the folder, or else its nearest existing parent, can be written. */
export async function writableFinding(location: string): Promise<Finding> {
  const folder = await nearestFolder(resolve(location));
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const problem = folderError(error, "write", folder);
    return { what: `${location}: ${problem.message}`, problem };
  }
  const what = folder === resolve(location) ? "can be read and written" : `can be created in ${folder}`;
  return { what: `${location} ${what}`, problem: null };
}

/** The folder, or its nearest existing parent. */
async function nearestFolder(path: string): Promise<string> {
  let folder = path;
  while (dirname(folder) !== folder && (await isMissing(folder))) {
    folder = dirname(folder);
  }
  return folder;
}

async function isMissing(path: string): Promise<boolean> {
  return await access(path, constants.F_OK).then(
    () => false,
    (error: unknown) => errorCode(error) === "ENOENT",
  );
}

const REASONS: Partial<Readonly<Record<ErrorKind, string>>> = {
  usage: "not asked",
  token: "refused the token",
  incomplete: "did not answer",
};

async function asked(host: string, address: string | null, work: () => Promise<string>): Promise<Finding> {
  const named = `the ${host} host${address === null ? "" : ` ${address}`}`;
  try {
    return { what: `${named}: ${await work()}`, problem: null };
  } catch (error) {
    const problem = asFillbookError(error);
    return { what: `${named}: ${REASONS[problem.kind] ?? "answered otherwise"}: ${problem.message}`, problem };
  }
}

/** Sends one request to each host that has one which changes nothing. */
export async function inspectService(
  { reader, requireAccountAccess }: Pick<Components, "reader" | "requireAccountAccess">,
  { accountUrl, marketDataUrl, orderUrl }: Pick<Settings, "accountUrl" | "marketDataUrl" | "orderUrl">,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const account = await asked("account", accountUrl, async () => {
    await requireAccountAccess();
    const answer = await (await reader()).completedOrders({}, signal);
    if (answer.kind === "page") {
      return "answered, and accepted the token";
    }
    throw answer.kind === "range-refused"
      ? answer.problem
      : usageError("it refused a request for its newest page", `check ${SCHEMA.accountUrl.variable}`);
  });
  const marketData = await asked("market data", marketDataUrl, async () => {
    if (marketDataUrl === null) {
      return "not set (markets, specs and market-data need it)";
    }
    await (await reader()).markets(signal);
    return "answered";
  });
  const untested = "not tested: its only request would change the leverage";
  const unset = "not set (only set-leverage needs it)";
  const order = await asked("order", orderUrl, () => Promise.resolve(orderUrl === null ? unset : untested));
  return [account, marketData, order];
}

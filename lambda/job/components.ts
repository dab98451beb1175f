import { type Clock, systemClock } from "../core/clock.ts";
import { allProblems, asFillbookError, FillbookError, usageError } from "../core/errors.ts";
import { type Random, systemRandom } from "../core/random.ts";
import { fixedToken, type TokenSource } from "../core/token.ts";
import type { ServiceReader, ServiceWriter } from "../service/service.ts";
import type { Store } from "../storage/store.ts";
import { parseStoreUri } from "../storage/uri.ts";
import type { Credentials } from "./account-role.ts";
import type { RunContext } from "./context.ts";
import { SCHEMA, type Settings, secretOf } from "./settings.ts";

/**
 * The live parts of a run. Each is loaded and made when it is first needed, so a command needs no settings of parts
 * that it does not use.
 */
export interface Components {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: () => Promise<Store>;
  /** Null: packs are in `store`. */
  readonly packStore: () => Promise<Store | null>;
  /** Its calls reject with kind `usage` if the address or token that they need is not set. */
  readonly reader: () => Promise<ServiceReader>;
  readonly leverageWriter: () => Promise<ServiceWriter>;
  /** Reads the token. Null if completed orders cannot be requested. */
  readonly owner: NonNullable<RunContext["owner"]>;
  /**
   * Reads the token. Rejects with kind `usage` and names everything that is missing if completed orders
   * cannot be requested. Called before an archive is opened or created.
   */
  readonly requireAccountAccess: () => Promise<void>;
}

/**
 * Makes the live parts from the settings. `learned` is called with every token that is read, so that it can
 * be redacted.
 */
export function createComponents(
  settings: Settings & { readonly packStore?: string | null },
  learned: (token: string) => void,
): Components {
  const [clock, random] = [systemClock, systemRandom];
  const { account, accountRole: arn, accountUrl, marketDataUrl, orderUrl, packStore = null } = settings;
  const credentials = once(async () => {
    const variable = SCHEMA.accountRole.variable;
    return arn === null ? null : (await import("./account-role.ts")).accountCredentials({ arn, variable }, account);
  });
  const tokens = lazyTokens(() => tokenSource(settings, credentials, learned));
  const { concurrency, maxRps } = settings;
  const service = once(async () => {
    const { createLimiter } = await import("../service/limiter.ts");
    return { tokens, clock, random, limiter: createLimiter({ clock, random, concurrency, maxRps }) };
  });
  const open = (uri: string) => openStore(uri, settings, credentials);
  return {
    clock,
    random,
    store: once(() => open(settings.store)),
    packStore: once(async () => (packStore === null || packStore === settings.store ? null : await open(packStore))),
    reader: once(async () => {
      const { createReader } = await import("../service/reader.ts");
      return createReader({ ...(await service()), accountUrl, marketDataUrl });
    }),
    leverageWriter: once(async () => {
      const { createLeverageWriter } = await import("../service/leverage.ts");
      return createLeverageWriter({ ...(await service()), orderUrl });
    }),
    async owner() {
      const token = accountUrl === null ? null : await tokens.current().catch(nullOfUsage);
      return accountUrl === null || token === null
        ? null
        : { address: accountUrl.replace(/\/+$/, ""), subject: token.subjectHash(account) };
    },
    async requireAccountAccess() {
      const hint = `run fillbook init, or set it with --${SCHEMA.accountUrl.flag} or ${SCHEMA.accountUrl.variable}`;
      const unset = usageError("the address of the account host is not set", hint);
      const problems = accountUrl === null ? [unset] : [];
      await tokens.current().catch((error: unknown) => problems.push(asFillbookError(error)));
      const problem = allProblems(problems);
      if (problem !== null) {
        throw problem;
      }
    },
  };
}

/** Looks for the token source only when a token is needed. Most commands need none. */
function lazyTokens(find: () => Promise<TokenSource>): TokenSource {
  const source = once(find);
  return {
    current: async () => await (await source()).current(),
    refresh: async () => await (await source()).refresh(),
  };
}

/** Loads the AWS SDK only for a store on S3. */
async function openStore(
  uri: string,
  { s3Endpoint: endpoint }: Settings,
  role: () => Promise<Credentials | null>,
): Promise<Store> {
  const address = parseStoreUri(uri);
  if (address.kind === "folder") {
    const { openFolderStore } = await import("../storage/folder.ts");
    return openFolderStore(address.path);
  }
  const credentials = await role();
  const { openS3Store } = await import("../storage/s3.ts");
  return openS3Store({
    bucket: address.bucket,
    prefix: address.prefix,
    client: {
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      ...(credentials === null ? {} : { credentials }),
    },
  });
}

async function tokenSource(
  { account, token, tokenSecret }: Settings,
  credentials: () => Promise<Credentials | null>,
  learned: (token: string) => void,
): Promise<TokenSource> {
  if (token !== null && tokenSecret !== null) {
    throw usageError("FILLBOOK_TOKEN and FILLBOOK_TOKEN_SECRET are both set", "unset one of them");
  }
  if (token !== null) {
    learned(token.reveal());
    return fixedToken(token);
  }
  if (tokenSecret !== null) {
    const { secretsManager, secretToken } = await import("./token-source.ts");
    return secretToken(secretOf({ account }, tokenSecret), secretsManager(await credentials()), (read) =>
      learned(read.reveal()),
    );
  }
  throw new FillbookError("usage", "there is no token", {
    hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of a Secrets Manager secret that holds it",
  });
}

/** A run's context. */
export async function createRunContext(
  { account, settleLagMs, lookBackMs, concurrency, hurry: hurries }: Settings,
  { clock, random, store, packStore, reader, owner, requireAccountAccess }: Omit<Components, "leverageWriter">,
  run: Pick<RunContext, "signal" | "timeLeftMs" | "sliceMs" | "report" | "alwaysLooksBack">,
): Promise<RunContext> {
  return {
    account,
    reader: await reader(),
    store: await store(),
    packStore: await packStore(),
    owner,
    requireAccess: requireAccountAccess,
    clock,
    random,
    settleLagMs,
    lookBackMs,
    concurrency,
    hurries,
    ...run,
  };
}

/** A missing setting matters only to a run that asks the service, and that run reports it. */
function nullOfUsage(error: unknown): null {
  if (error instanceof FillbookError && error.kind === "usage") {
    return null;
  }
  throw error;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

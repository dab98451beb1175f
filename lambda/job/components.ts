import { type Clock, systemClock } from "../core/clock.ts";
import { allProblems, asFillbookError, FillbookError } from "../core/errors.ts";
import { type Random, systemRandom } from "../core/random.ts";
import { fixedToken, type TokenSource } from "../core/token.ts";
import { createLeverageWriter } from "../service/leverage.ts";
import { createLimiter } from "../service/limiter.ts";
import { createReader } from "../service/reader.ts";
import type { ServiceReader, ServiceWriter } from "../service/service.ts";
import { openFolderStore } from "../storage/folder.ts";
import type { Store } from "../storage/store.ts";
import { parseStoreUri } from "../storage/uri.ts";
import { accountCredentials, type Credentials } from "./account-role.ts";
import type { RunContext } from "./context.ts";
import { SCHEMA, type Settings, secretOf } from "./settings.ts";
import { secretsManager, secretToken } from "./token-source.ts";

/**
 * The live parts of a run. Each is made when it is first needed, so a command needs no settings of parts that
 * it does not use.
 */
export interface Components {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: () => Promise<Store>;
  /** Null: packs are in `store`. */
  readonly packStore: () => Promise<Store | null>;
  /** Its calls reject with kind `usage` if the address or token that they need is not set. */
  readonly reader: () => ServiceReader;
  readonly leverageWriter: () => ServiceWriter;
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
  const credentials = arn === null ? null : accountCredentials({ arn, variable: SCHEMA.accountRole.variable }, account);
  const tokens = lazyTokens(() => tokenSource(settings, credentials, learned));
  const { concurrency, maxRps } = settings;
  const service = once(() => ({
    tokens,
    clock,
    random,
    limiter: createLimiter({ clock, random, concurrency, maxRps }),
  }));
  const open = (uri: string) => openStore(uri, settings, credentials);
  return {
    clock,
    random,
    store: once(() => open(settings.store)),
    packStore: once(async () => (packStore === null || packStore === settings.store ? null : await open(packStore))),
    reader: once(() => createReader({ ...service(), accountUrl, marketDataUrl })),
    leverageWriter: once(() => createLeverageWriter({ ...service(), orderUrl })),
    async owner() {
      const token = accountUrl === null ? null : await tokens.current().catch(nullOfUsage);
      return accountUrl === null || token === null
        ? null
        : { address: accountUrl.replace(/\/+$/, ""), subject: token.subjectHash(account) };
    },
    async requireAccountAccess() {
      const problems: FillbookError[] = [];
      if (accountUrl === null) {
        problems.push(
          new FillbookError("usage", "the address of the account host is not set", {
            hint: `run fillbook init, or set it with --${SCHEMA.accountUrl.flag} or ${SCHEMA.accountUrl.variable}`,
          }),
        );
      }
      await tokens.current().catch((error: unknown) => problems.push(asFillbookError(error)));
      const problem = allProblems(problems);
      if (problem !== null) {
        throw problem;
      }
    },
  };
}

/** Looks for the token source only when a token is needed. Most commands need none. */
function lazyTokens(find: () => TokenSource): TokenSource {
  const source = once(find);
  return {
    current: async () => await source().current(),
    refresh: async () => await source().refresh(),
  };
}

/** Loads the AWS SDK only for a store on S3. */
async function openStore(
  uri: string,
  { s3Endpoint: endpoint }: Settings,
  credentials: Credentials | null,
): Promise<Store> {
  const address = parseStoreUri(uri);
  if (address.kind === "folder") {
    return openFolderStore(address.path);
  }
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

function tokenSource(
  { account, token, tokenSecret }: Settings,
  credentials: Credentials | null,
  learned: (token: string) => void,
): TokenSource {
  if (token !== null && tokenSecret !== null) {
    throw new FillbookError("usage", "FILLBOOK_TOKEN and FILLBOOK_TOKEN_SECRET are both set", {
      hint: "unset one of them",
    });
  }
  if (token !== null) {
    learned(token.reveal());
    return fixedToken(token);
  }
  if (tokenSecret !== null) {
    return secretToken(secretOf({ account }, tokenSecret), secretsManager(credentials), (read) =>
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
    reader: reader(),
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

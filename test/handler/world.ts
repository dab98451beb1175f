import { makeHistory } from "../emulator/history.ts";
import { startEmulator } from "../emulator/server.ts";
import { startSecretsDouble, startStsDouble } from "../support/aws-doubles.ts";
import { startS3Double } from "../support/s3-double/server.ts";
import { openSandbox } from "./sandbox.ts";

export const TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJidW5kbGUifQ.b25l";
export const OTHER_TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJidW5kbGUifQ.dHdv";
export const WHOLE_YEAR = { action: "sync", from: "2025-01-01", to: "2026-01-01" };

/** The function's own credentials. They may only assume the account's role. */
export const FUNCTION_KEY = "ASIAFUNCTION";

export type World = Awaited<ReturnType<typeof openWorld>>;

export interface WorldOptions {
  /** The history of the service's account, whichever account the function is called for. */
  readonly history: { readonly fills: number; readonly from: number; readonly to: number };
  /** The environment variables of the template, without addresses. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the secrets that hold the service's token. */
  readonly secrets: readonly string[];
  /** Buckets besides `archive`. */
  readonly buckets?: readonly string[];
}

/** The function, and doubles of everything that it talks to. */
export async function openWorld(folder: string, options: WorldOptions) {
  const history = makeHistory({ seed: 8, ...options.history });
  const service = await startEmulator({ history, tokens: [TOKEN] });
  const s3 = await startS3Double({ bucket: "archive", others: options.buckets ?? [] });
  const secrets = await startSecretsDouble();
  for (const name of options.secrets) {
    secrets.secrets.set(name, JSON.stringify({ token: TOKEN }));
  }
  const sts = await startStsDouble();
  const sandbox = await openSandbox(folder, {
    ...options.environment,
    FILLBOOK_HURRY: "1",
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: FUNCTION_KEY,
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_ENDPOINT_URL_STS: sts.endpoint,
  });
  return {
    service,
    s3,
    secrets,
    sts,
    sandbox,
    async close() {
      await Promise.all([sandbox.close(), service.close(), s3.close(), secrets.close(), sts.close()]);
    },
  };
}

import { afterAll, beforeAll, expect, test } from "vitest";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../../emulator/server.ts";
import { startSecretsDouble } from "../../support/aws-doubles.ts";
import { startCli } from "../child.ts";

// One command per endpoint, through the real client, against the emulated service, whose data are known.

let service: RunningEmulator;
let environment: Record<string, string> = {};

beforeAll(async () => {
  const history = makeHistory({ seed: 3, fills: 250, from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 1, 1) });
  service = await startEmulator({ history });
  environment = {
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_ORDER_URL: service.orderUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
    FILLBOOK_JSON: "1",
  };
});

afterAll(() => service.close());

test("the token may be in Secrets Manager", async () => {
  const secrets = await startSecretsDouble();
  try {
    secrets.secrets.set("fillbook/main", JSON.stringify({ token: SAMPLE_TOKEN }));
    const { FILLBOOK_TOKEN: _, ...rest } = environment;
    const aws = {
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
      AWS_REGION: "eu-west-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    };
    const found = await startCli(["completed-orders"], { ...rest, ...aws, FILLBOOK_TOKEN_SECRET: "fillbook/main" })
      .ended;
    expect(found).toMatchObject({ code: 0, stderr: "" });
    const missing = await startCli(["completed-orders"], { ...rest, ...aws, FILLBOOK_TOKEN_SECRET: "fillbook/other" })
      .ended;
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /^fillbook completed-orders: the secret fillbook\/other of FILLBOOK_TOKEN_SECRET cannot be read: ResourceNotFoundException: /,
    );
    expect(secrets.asked).toEqual(["fillbook/main", "fillbook/other"]);
  } finally {
    await secrets.close();
  }
});

import { beforeEach, expect, test } from "vitest";
import { clientSecret } from "../../../../lambda/web/hosts/aws/client-secret.ts";
import type { UserPoolDouble } from "../../../support/aws-doubles.ts";
import { openHostedWorld } from "./world.ts";

const SETTINGS = { userPool: "eu-west-1_Pool12345", signInClient: "7client" };
const KEY = "eu-west-1_Pool12345/7client";

let cognito: UserPoolDouble;
beforeEach(async () => {
  cognito = (await openHostedWorld()).users;
  cognito.secrets.set(KEY, "first");
});

const { signal } = new AbortController();

test("is read once, for its own client in its own pool", async () => {
  const read = clientSecret(SETTINGS);
  expect([await read(signal), await read(signal)]).toEqual(["first", "first"]);
  expect(cognito.calls).toEqual([{ pool: SETTINGS.userPool, client: "7client", accessKeyId: "ASIAFUNCTION" }]);
});

test("is read again if Cognito no longer accepts it, and only then", async () => {
  const read = clientSecret(SETTINGS);
  await read(signal);
  cognito.secrets.set(KEY, "second");
  expect(await read(signal, "one before that")).toBe("first");
  expect(await read(signal, "first")).toBe("second");
  expect(cognito.calls).toHaveLength(2);
});

test("that may not be read is an error, and is requested again", async () => {
  const read = clientSecret(SETTINGS);
  cognito.refusal = "AccessDeniedException";
  await expect(read(signal)).rejects.toMatchObject({ name: "AccessDeniedException" });
  cognito.refusal = null;
  expect(await read(signal)).toBe("first");
});

test("of a client without a secret is an error with its own name", async () => {
  cognito.secrets.set(KEY, null);
  await expect(clientSecret(SETTINGS)(signal)).rejects.toMatchObject({ name: "NoClientSecret" });
});

test("is not read for an aborted request", async () => {
  await expect(clientSecret(SETTINGS)(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
});

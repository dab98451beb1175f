import { readdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { handler } from "../../../../lambda/handler.ts";
import { type Attack, CANARY, equal, type Group, law, withoutSecret } from "../attack.ts";
import { inFolder } from "./folders.ts";

const LONG = "x".repeat(300_000);

/** Events from a person who may start the state machine. */
const EVENTS: readonly unknown[] = [
  undefined,
  null,
  0,
  "",
  "sync",
  [],
  [{ action: "sync" }],
  {},
  { action: null },
  { action: "" },
  { action: "SYNC" },
  { action: "delete" },
  { action: "__proto__" },
  { action: "constructor" },
  { action: ["sync"] },
  { action: { toString: "sync" } },
  { action: LONG },
  { action: "sync", account: "other" },
  { action: "sync", account: "../main" },
  { action: "sync", account: "" },
  { action: "sync", account: null },
  { action: "sync", account: ["main"] },
  { action: "sync", account: LONG },
  { action: "sync", from: 1_735_689_600_000 },
  { action: "sync", from: "yesterday" },
  { action: "sync", from: "2025-13-01" },
  { action: "sync", from: "+275760-09-14" },
  { action: "sync", from: "2025-02-01", to: "2025-01-01" },
  { action: "sync", rebind: true },
  { action: "sync", store: "s3://evil-bucket/x" },
  { action: "sync", token: CANARY },
  { action: "sync", accountUrl: "https://evil.example" },
  { action: "sync", startedBy: LONG },
  { action: "sync", startedBy: 7 },
  JSON.parse('{"action":"sync","__proto__":{"from":"x"}}'),
  { action: "export" },
  { action: "export", period: "" },
  { action: "export", period: "../../other/packs/us-2025" },
  { action: "export", period: "us-2025\0" },
  { action: "export", period: LONG },
  { action: "export", period: "us-2025", zone: "Mars/Base" },
  { action: "export", period: "us-2025", method: "best" },
  { action: "export", period: "us-2025", currency: "=1+1" },
  { action: "export", period: "us-2025", out: "/etc" },
  { action: "export", period: "us-2025", inputs: "/etc" },
  { action: "export", period: "us-2025", allowIncomplete: true },
  { action: "export", period: "us-2025", information: true },
  { action: "export", from: "2025-01-01" },
  { action: "verify", rewalk: true },
  { action: "verify", period: "../x" },
];

/** Error names that Step Functions distinguishes. */
const NAMES = ["BadSettings"];

export const EVENTS_GROUP: Group = {
  name: "Hostile Lambda events",
  must: "BadSettings, below 256 kB; nothing is created",
  attacks: () =>
    Promise.resolve(
      EVENTS.map(
        (event, at): Attack => ({
          name: `${at}: ${(JSON.stringify(event) ?? "undefined").slice(0, 80)}`,
          run: () => tried(event),
        }),
      ),
    ),
};

/**
 * Calls the function's own handler. Its environment has a store in a folder and a service that nobody can
 * reach.
 */
function tried(event: unknown): Promise<string> {
  return inFolder((folder) => {
    const own: Readonly<Record<string, string>> = {
      FILLBOOK_ACCOUNT: "main",
      FILLBOOK_STORE: join(folder, "store"),
      FILLBOOK_ACCOUNT_URL: "https://service.invalid",
      FILLBOOK_TOKEN: CANARY,
    };
    return withEnvironment(own, async () => {
      const { error, log } = await answerOf(event);
      law(error instanceof Error, "the event was not rejected");
      const { name, message } = error as Error;
      law(NAMES.includes(name), `the error is a ${name}: ${message.slice(0, 200)}`);
      law(message.length > 0 && message.length < 256_000, `the message has ${message.length} characters`);
      withoutSecret(message + log);
      equal(await readdir(folder), [], "folders created");
      return name;
    });
  });
}

/** The handler's error, and its log, which is the standard output. */
async function answerOf(event: unknown): Promise<{ readonly error: unknown; readonly log: string }> {
  const write = process.stdout.write;
  let log = "";
  process.stdout.write = (text: string | Uint8Array) => {
    log += String(text);
    return true;
  };
  try {
    const error = await handler(event, { awsRequestId: "r-1", getRemainingTimeInMillis: () => 60_000 }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return { error, log };
  } finally {
    process.stdout.write = write;
  }
}

async function withEnvironment(own: Readonly<Record<string, string>>, work: () => Promise<string>): Promise<string> {
  const before = { ...process.env };
  Object.assign(process.env, own);
  try {
    return await work();
  } finally {
    for (const variable of Object.keys(own)) {
      const value = before[variable];
      if (value === undefined) {
        delete process.env[variable];
      } else {
        process.env[variable] = value;
      }
    }
  }
}

import { createServer } from "node:http";
import { run } from "../../../cli/commands/run.ts";
import { listen, stop } from "../../../support/loopback.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { type Attack, CANARY, endedIn, equal, type Group } from "../attack.ts";

/** Addresses that must not receive a token or a signature. */
const ADDRESSES: readonly string[] = [
  "http://evil.example",
  "http://169.254.169.254/latest/meta-data",
  "http://0.0.0.0:9",
  "http://[::]",
  "http://localhost.evil.example",
  "http://127.0.0.1.evil.example",
  "http://127.0.0.1@evil.example",
  "http://evil.example#127.0.0.1",
  "https://user:secret@evil.example",
  "https://evil.example/?x=1",
  "https://evil.example/#x",
  "ftp://evil.example",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/plain,x",
  "//evil.example",
  "evil.example",
  "https://",
  "http://[",
  "https://evil.example:99999",
  "\u202Ehttps://evil.example",
  "x".repeat(100_000),
];

const VARIABLES: readonly string[] = [
  "FILLBOOK_ACCOUNT_URL",
  "FILLBOOK_ORDER_URL",
  "FILLBOOK_MARKET_DATA_URL",
  "AWS_ENDPOINT_URL",
  "AWS_ENDPOINT_URL_S3",
  "AWS_ENDPOINT_URL_STS",
  "AWS_ENDPOINT_URL_SECRETS_MANAGER",
];

const VALUES: Readonly<Record<string, readonly string[]>> = {
  FILLBOOK_ACCOUNT: ["../x", "MAIN", "a b", "x".repeat(33), "\0"],
  FILLBOOK_STORE: ["s3://../x", "http://evil.example", "s3://", "a\0b"],
  FILLBOOK_CONCURRENCY: ["0", "-1", "1e9", "65", "NaN", "0x10", "٣", "1;2", "9".repeat(1000)],
  FILLBOOK_MAX_RPS: ["0", "-1", "Infinity", "1e3", "1001"],
  FILLBOOK_LOOK_BACK_DAYS: ["-1", "3651", "1.5", "all"],
  FILLBOOK_SETTLE_LAG: ["-1", "604801", "soon"],
  FILLBOOK_QUIET: ["perhaps", "2"],
  FILLBOOK_DEBUG: ["maybe"],
  FILLBOOK_TOKEN: [`${CANARY}\r\nx: y`, "a\nb", "a\0b", "tök\u0000en", "a b\tc\u0001"],
};

export const ENVIRONMENT: Group = {
  name: "A hostile environment",
  must: "exit 2 before anything is sent or created",
  attacks: () =>
    Promise.resolve([
      ...VARIABLES.flatMap((variable) => ADDRESSES.map((address) => set(variable, address))),
      ...Object.entries(VALUES).flatMap(([variable, values]) => values.map((value) => set(variable, value))),
    ]),
};

/** `sync` with all real components except the store, and one hostile variable. */
function set(variable: string, value: string): Attack {
  return {
    name: `${variable}=${JSON.stringify(value.slice(0, 60))}`,
    async run() {
      const heard: string[] = [];
      const service = createServer((request, response) => {
        heard.push(request.url ?? "");
        response.end();
      });
      const url = await listen(service);
      try {
        const store = memoryStore();
        const ran = await run(["sync"], {
          environment: { FILLBOOK_ACCOUNT_URL: url, FILLBOOK_TOKEN: CANARY, FILLBOOK_JSON: "1", [variable]: value },
          components: { store: () => Promise.resolve(store) },
        });
        endedIn(ran, [2]);
        equal(heard, [], "requests");
        equal(store.snapshot().size, 0, "objects created");
        return `exit ${ran.code}`;
      } finally {
        await stop(service);
      }
    },
  };
}

import { randomBytes } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { stop as close, listen } from "../support/loopback.ts";
import type { Certificate } from "./certificate.ts";
import type { CloudPlace } from "./place.ts";
import { openPlainDoor } from "./plain-door.ts";
import { startProgram } from "./program.ts";

/**
 * An AWS of our own: https://github.com/ministackorg/ministack, one process on loopback, all state in its
 * memory.
 */
export interface MiniStack {
  readonly place: CloudPlace;
  stop(): Promise<void>;
}

export interface MiniStackOptions {
  readonly python: string;
  readonly folder: string;
  readonly path: string;
  readonly certificate: Certificate;
  readonly signal: AbortSignal;
}

const REGION = "eu-west-1";
const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 200;

/** A pause of the state machines, of the seconds that they ask for. */
export const WAIT_SCALE = 0.02;

/** Until it is set again: the emulator gives up a task of ECS after 600 seconds, which it scales too. */
export async function setWaitScale({ endpoint }: CloudPlace, scale: number): Promise<void> {
  const body = JSON.stringify({ "stepfunctions._SFN_WAIT_SCALE": scale });
  const answer = await fetch(`${endpoint}/_ministack/config`, { method: "POST", body });
  if (!answer.ok) {
    throw new Error(`the emulator's pauses were not set: ${answer.status}`);
  }
}

/** Starts it on a free port. Rejects with the end of its log when it does not come up in a minute. */
export async function startMiniStack(options: MiniStackOptions): Promise<MiniStack> {
  const { python, folder, path, certificate, signal } = options;
  const port = await freePort();
  const endpoint = `https://127.0.0.1:${port}`;
  const accessKeyId = `FILLBOOK${randomBytes(6).toString("hex").toUpperCase()}`;
  const secretAccessKey = randomBytes(20).toString("hex");
  const door = await openPlainDoor(await readFile(certificate.certificate, "utf8"));
  const home = join(folder, "ministack");
  const file = join(folder, "ministack.log");
  await mkdir(home);
  // Its server by hand, and not its own command: that would also take port 443 where it can.
  const serve = ["--bind", `127.0.0.1:${port}`, "--certfile", certificate.certificate, "--keyfile", certificate.key];
  const program = startProgram(python, ["-m", "hypercorn", ...serve, "--keep-alive", "75", "ministack.app:app"], {
    cwd: home,
    output: { file },
    environment: {
      PATH: path,
      HOME: home,
      TMPDIR: home,
      // Whoever signs with these is the account's root.
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      GATEWAY_PORT: port,
      MINISTACK_HOST: "127.0.0.1",
      MINISTACK_REGION: REGION,
      USE_SSL: "1",
      MINISTACK_SSL_CERT: certificate.certificate,
      MINISTACK_SSL_KEY: certificate.key,
      AUTH: "true", // policies hold, signatures are checked
      SFN_WAIT_SCALE: String(WAIT_SCALE),
      http_proxy: door.url,
      // Listeners that nobody asked for.
      IOT_MTLS_ENABLED: "0",
      SFTP_ENABLED: "0",
    },
  });
  const stop = async () => {
    await program.stop();
    await door.close();
  };
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  program.ended.then(over, over);
  for (let waited = 0; !(isOver || signal.aborted) && waited < READY_WITHIN_MS; waited += ASK_EVERY_MS) {
    if (await answers(`${endpoint}/_ministack/ready`)) {
      return {
        place: {
          endpoint,
          region: REGION,
          accessKeyId,
          secretAccessKey,
          certificate: certificate.certificate,
          folder,
          pid: program.pid,
        },
        stop,
      };
    }
    await after(ASK_EVERY_MS);
  }
  await stop();
  signal.throwIfAborted();
  const log = await readFile(file, "utf8").catch(() => "");
  throw new Error(`MiniStack did not come up:\n${log.trimEnd().split("\n").slice(-20).join("\n")}`);
}

/** Of loopback; nobody listens on it at this moment. */
async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await close(server);
  return port;
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    // This process does not trust the certificate: it asks nothing that matters.
    const request = get(url, { rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on("error", () => resolve(false));
    request.setTimeout(2000, () => request.destroy());
  });
}

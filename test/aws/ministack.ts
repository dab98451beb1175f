import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { get, request } from "node:https";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as after } from "node:timers/promises";
import { stop as close, listen, stop } from "../support/loopback.ts";
import type { Certificate } from "./certificate.ts";
import type { CloudPlace } from "./place.ts";

/**
 * An emulator of AWS on this machine: https://github.com/ministackorg/ministack. It is one process on
 * loopback and keeps all state in memory.
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
const GRACE_MS = 5000;

/** The emulated length of a state machine's pause, as a share of the defined one. */
export const WAIT_SCALE = 0.02;

/** Starts it on a free port. Rejects with the end of its log if it is not ready within a minute. */
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
  // Starts its server directly. Its own command would also take port 443 if it can.
  const serve = ["--bind", `127.0.0.1:${port}`, "--certfile", certificate.certificate, "--keyfile", certificate.key];
  const log = openSync(file, "a");
  // It leads its own process group: a Ctrl-C at the terminal does not reach it, and its children end with it.
  const child = spawn(python, ["-m", "hypercorn", ...serve, "--keep-alive", "75", "ministack.app:app"], {
    cwd: home,
    stdio: ["ignore", log, log],
    detached: true,
    env: {
      PATH: path,
      HOME: home,
      TMPDIR: home,
      // These keys belong to the account's root user.
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      GATEWAY_PORT: port,
      MINISTACK_HOST: "localhost", // a function is told that it is asked as API.execute-api.HOST, which must be a name
      MINISTACK_REGION: REGION,
      USE_SSL: "1",
      MINISTACK_SSL_CERT: certificate.certificate,
      MINISTACK_SSL_KEY: certificate.key,
      AUTH: "true", // policies are applied, signatures are checked
      SFN_WAIT_SCALE: String(WAIT_SCALE),
      http_proxy: door.url,
      // Turns off listeners that no test uses.
      IOT_MTLS_ENABLED: "0",
      SFTP_ENABLED: "0",
    },
  });
  closeSync(log); // the child keeps it open
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  const ended = once(child, "exit").then(over, over);
  const { pid = 0 } = child;
  const stop = async () => {
    signalGroup(pid, "SIGTERM");
    await Promise.race([ended, after(GRACE_MS, undefined, { ref: false })]);
    signalGroup(pid, "SIGKILL"); // also processes that outlived the leader
    await ended;
    await door.close();
  };
  for (let waited = 0; !(isOver || signal.aborted) && waited < READY_WITHIN_MS; waited += ASK_EVERY_MS) {
    if (await answers(`${endpoint}/_ministack/ready`)) {
      return {
        place: { endpoint, region: REGION, accessKeyId, secretAccessKey, ...certificate, folder, pid },
        stop,
      };
    }
    await after(ASK_EVERY_MS);
  }
  await stop();
  signal.throwIfAborted();
  const said = await readFile(file, "utf8").catch(() => "");
  throw new Error(`MiniStack did not start:\n${said.trimEnd().split("\n").slice(-20).join("\n")}`);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // No process of the group is left.
  }
}

/** A port of loopback that is free at this moment. */
async function freePort(): Promise<string> {
  const server = createServer();
  const { port } = new URL(await listen(server));
  await close(server);
  return port;
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    // This process does not trust the certificate, but this request carries nothing secret.
    const request = get(url, { rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on("error", () => resolve(false));
    request.setTimeout(2000, () => request.destroy());
  });
}

/**
 * A proxy for MiniStack. MiniStack requests a user pool's keys from itself by plain http, at a port where it
 * accepts only TLS (apigateway.py, `_resolve_jwks_url`). Python sends that request through `http_proxy`,
 * which is this proxy. It repeats the request by TLS, and only to this machine. `ca`: MiniStack's certificate, PEM.
 */
async function openPlainDoor(ca: string) {
  const server = createServer((incoming, outgoing) => {
    const { hostname, port, pathname, search } = new URL(incoming.url ?? "", "http://nowhere.invalid");
    if (hostname !== "localhost" || incoming.method !== "GET") {
      outgoing.writeHead(403).end();
      return;
    }
    const asked = request({ hostname: "127.0.0.1", port, path: pathname + search, ca }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on("error", () => outgoing.writeHead(502).end());
    asked.end();
  });
  const url = await listen(server);
  return { url, close: () => stop(server) };
}

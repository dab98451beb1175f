import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as after } from "node:timers/promises";
import { installPython } from "../support/python-tool.ts";

/** An S3 of somebody else, in a process of its own. */
export interface Emulator {
  /** For a client with forcePathStyle. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface Program {
  /** Beside this file; only with it is it known what runs. */
  readonly requirements: string;
  /** Arguments for the interpreter. */
  readonly start: (port: number) => readonly string[];
  readonly env: (port: number) => Readonly<Record<string, string>>;
  /** Answers 200 as soon as the program is ready. */
  readonly readyPath: string;
}

/** https://github.com/ministackorg/ministack. Without a token or key of the environment's, and without its listeners for devices and files. */
export const MINISTACK: Program = {
  requirements: "conformance-ministack-requirements.txt",
  start: () => ["-m", "ministack"],
  env: (port) => ({
    BIND_HOST: "127.0.0.1",
    GATEWAY_PORT: String(port),
    SERVICES: "s3",
    IOT_MTLS_ENABLED: "0",
    SFTP_ENABLED: "0",
  }),
  readyPath: "/_ministack/health",
};

/** https://docs.getmoto.org/en/latest/docs/server_mode.html */
export const MOTO: Program = {
  requirements: "conformance-moto-requirements.txt",
  start: (port) => ["-c", "import moto.server; moto.server.main()", "-H", "127.0.0.1", "-p", String(port)],
  env: () => ({}),
  readyPath: "/moto-api/data.json",
};

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;

/** Starts the program on a free port of loopback; rejects with what it said when it is not ready in time. */
export async function startEmulator(program: Program): Promise<Emulator> {
  const installed = await installPython(join(import.meta.dirname, program.requirements));
  if ("missing" in installed) {
    throw new Error(installed.missing);
  }
  const folder = await mkdtemp(join(tmpdir(), "fillbook-emulator-"));
  const port = await freePort();
  const child = spawn(installed.python, program.start(port), {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder, ...program.env(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-4000);
    });
  }
  const stop = async () => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (!(await isReady(`${endpoint}${program.readyPath}`, child))) {
    await stop();
    throw new Error(`${program.start(port).join(" ")} is not ready: ${said}`);
  }
  return { endpoint, stop };
}

async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  for (let waited = 0; waited < READY_WITHIN_MS && child.exitCode === null; waited += ASK_EVERY_MS) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok === true) {
      return true;
    }
    await after(ASK_EVERY_MS);
  }
  return false;
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, "exit");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") {
    throw new Error("the system gave no port");
  }
  return address.port;
}

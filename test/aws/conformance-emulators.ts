import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as after } from "node:timers/promises";
import { installPython } from "../support/python-tool.ts";
import { freePorts } from "./ports.ts";
import { startProgram } from "./program.ts";

/** An S3 of somebody else, in a process of its own on a free port of loopback. */
export interface Emulator {
  /** For a client with forcePathStyle. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

interface Kind {
  /** The file beside this one that says what is installed. */
  readonly requirements: string;
  /** Of the interpreter. */
  readonly args: (port: number) => readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Answers 200 as soon as it is ready. */
  readonly readyPath: string;
}

/** https://github.com/ministackorg/ministack. Nothing but its S3, and no keys: here the store is tried, not its policies. */
export const MINISTACK: Kind = {
  requirements: "ministack-requirements.txt",
  args: (port) => ["-m", "hypercorn", "--bind", `127.0.0.1:${port}`, "--keep-alive", "75", "ministack.app:app"],
  environment: { SERVICES: "s3", IOT_MTLS_ENABLED: "0", SFTP_ENABLED: "0" },
  readyPath: "/_ministack/ready",
};

/** https://docs.getmoto.org/en/latest/docs/server_mode.html */
export const MOTO: Kind = {
  requirements: "moto-requirements.txt",
  args: (port) => ["-c", "import moto.server; moto.server.main()", "-H", "127.0.0.1", "-p", String(port)],
  environment: {},
  readyPath: "/moto-api/data.json",
};

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;

/** Rejects with the end of its log when it is not ready in a minute. */
export async function startEmulator({ requirements, args, environment, readyPath }: Kind): Promise<Emulator> {
  const installed = await installPython(join(import.meta.dirname, requirements));
  if ("missing" in installed) {
    throw new Error(installed.missing);
  }
  const folder = await mkdtemp(join(tmpdir(), "fillbook-emulator-"));
  const file = join(folder, "log");
  const [port = 0] = await freePorts(1);
  const program = startProgram(installed.python, args(port), {
    cwd: folder,
    output: { file },
    environment: { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder, ...environment },
  });
  const stop = async () => {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  for (let waited = 0; waited < READY_WITHIN_MS; waited += ASK_EVERY_MS) {
    const answer = await fetch(endpoint + readyPath).catch(() => null);
    if (answer?.ok === true) {
      return { endpoint, stop };
    }
    await after(ASK_EVERY_MS);
  }
  const log = await readFile(file, "utf8");
  await stop();
  throw new Error(`${args(port).join(" ")} did not come up:\n${log.slice(-2000)}`);
}

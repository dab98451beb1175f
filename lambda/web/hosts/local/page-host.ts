import { METHODS } from "../../../accounting/method.ts";
import type { Clock } from "../../../core/clock.ts";
import { asFillbookError } from "../../../core/errors.ts";
import type { Random } from "../../../core/random.ts";
import { isoTime } from "../../../core/time.ts";
import type { JobState, PagePorts, User } from "../../ports.ts";
import type { Refusal } from "../../request.ts";
import { createSite } from "../../site.ts";
import { signInNeededPage } from "../../views/notices.ts";
import { createHome } from "./local-host.ts";
import { createLocalJobs, type Run } from "./local-jobs.ts";
import { type Limits, startServer } from "./node-http.ts";
import { sentence } from "./notes.ts";
import { createSessions } from "./sessions.ts";

export interface PageHomeParts {
  /** All but the jobs, which run here. */
  readonly ports: Omit<PagePorts, "jobs">;
  readonly run: Run;
  /** Who has the key. */
  readonly user: User;
  readonly port: number;
  readonly clock: Clock;
  readonly random: Random;
  /** A line for the person at the terminal. */
  readonly say: (line: string) => void;
  readonly limits?: Partial<Limits>;
}

export interface PageHome {
  /** Signs in, once. */
  readonly url: string;
  /** Resolves when the last answer is out and the last job has ended: the jobs must have been told to. */
  readonly close: () => Promise<void>;
}

/** The page on this machine. Rejects with `usage` when the port cannot be had. */
export async function openPageHome(parts: PageHomeParts): Promise<PageHome> {
  const { clock, random, user, say } = parts;
  const now = () => clock.now();
  const server = await startServer(parts.port, clock, parts.limits);
  const { port } = server;
  const urlWith = (key: string) => `http://127.0.0.1:${port}/?key=${key}`;
  const sessions = createSessions({
    random,
    now,
    offered: (key, why) => say(`${OFFERS[why]}: ${urlWith(key)}`),
  });
  const jobs = createLocalJobs({ now, id: () => random.id(), run: parts.run }, (job) => say(jobLine(job)));
  const refused = (refusal: Refusal): void => say(refusalLine(refusal, clock.now()));
  const site = createSite({
    ports: { ...parts.ports, jobs },
    methods: METHODS,
    signInPage: signInNeededPage(),
    refused,
    report: (error) => say(faultLine(error)),
  });
  server.answerWith(createHome({ site, sessions, user, port, refused }));
  return {
    url: urlWith(sessions.firstKey),
    async close() {
      await Promise.all([server.close(), jobs.idle()]);
    },
  };
}

const OFFERS = {
  ended: "signed out; to sign in again",
  refused: "a link that does not work was opened; this one works, once, and signs out who is signed in now",
} as const;

const LONGEST_PATH = 200;

function refusalLine({ user, method, path, status, why }: Refusal, at: number): string {
  return `${isoTime(at)} refused ${user}: ${method} ${path.slice(0, LONGEST_PATH)}: ${status}, ${why}`;
}

function jobLine({ request: { kind, account }, state, note }: JobState): string {
  return `${kind} of ${account} ${state}: ${note}`;
}

function faultLine(error: unknown): string {
  return `an answer failed: ${sentence(asFillbookError(error))}`;
}

import { setImmediate as eventLoopTurn } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import type { ErrorKind } from "../../lambda/core/errors.ts";
import type { S3Fate, S3Request } from "../support/s3-double/server.ts";
import { ALL, ofEachKind, sortOf, TEST_TIMEOUT_MS, tryEach } from "./enumerate.ts";
import { type S3Place, s3Place } from "./place.ts";
import { exportRun, firstRun, nightlyRun, type Subject } from "./subject.ts";
import type { Disturbance } from "./trial.ts";

// Every kind of request to S3, on the wire: refused, failed, cut or unanswered, before and after its effect.

/** By a real clock. Only requests that never get an answer wait for it. */
const TIMEOUT_MS = 100;

interface WireFate {
  readonly name: string;
  /**
   * "held": no answer; the effect comes when the run is over, or before operation `landsAt` of the next run.
   */
  readonly fate: S3Fate | "held";
  readonly on: "writes" | "reads" | "bodies" | "replacements";
  readonly landsAt?: number;
  readonly ends?: readonly ErrorKind[];
}

const refused = (status: number, code: string, effect = false): S3Fate => ({ answer: status, code, effect });

const FATES: readonly WireFate[] = [
  { name: "409", fate: refused(409, "ConditionalRequestConflict"), on: "writes" },
  // If S3 says that a pack's file exists although it does not, the run cannot tell this from a deleted file.
  { name: "412", fate: refused(412, "PreconditionFailed"), on: "writes", ends: ["incomplete", "untrusted"] },
  { name: "412 after the effect", fate: refused(412, "PreconditionFailed", true), on: "writes" },
  // S3 answers so for a deleted head. Nothing may delete a head, so the run must not go on.
  { name: "404", fate: refused(404, "NoSuchKey"), on: "replacements", ends: ["incomplete", "untrusted"] },
  { name: "500", fate: refused(500, "InternalError"), on: "writes" },
  { name: "500 after the effect", fate: refused(500, "InternalError", true), on: "writes" },
  { name: "503", fate: refused(503, "SlowDown"), on: "writes" },
  { name: "503 after the effect", fate: refused(503, "SlowDown", true), on: "writes" },
  { name: "connection cut", fate: { reset: true }, on: "writes" },
  { name: "connection cut after the effect", fate: { reset: true, effect: true }, on: "writes" },
  { name: "no answer", fate: { hang: true }, on: "writes" },
  { name: "no answer after the effect", fate: { hang: true, effect: true }, on: "writes" },
  { name: "no answer, the effect when the run is over", fate: "held", on: "writes" },
  { name: "no answer, the effect when another has taken over", fate: "held", on: "writes", landsAt: 4 },
  { name: "500", fate: refused(500, "InternalError"), on: "reads" },
  { name: "connection cut", fate: { reset: true }, on: "reads" },
  { name: "half an answer", fate: { cut: true }, on: "bodies" },
  { name: "no answer", fate: { hang: true }, on: "reads" },
];

let place: S3Place;
beforeAll(async () => {
  place = await s3Place();
});
afterAll(() => place.close());

/** The fate for a run's request number `at`, from 0. */
function wireFate(at: number, wire: WireFate): Disturbance {
  const { name, fate, on, landsAt, ends } = wire;
  const { double } = place;
  let met: S3Request | null = null;
  return {
    ends: ends ?? ["incomplete"],
    ...(landsAt === undefined ? {} : { landsAt }),
    arrange(store) {
      const first = double.requests.length;
      const over = Promise.withResolvers<void>();
      double.plan = async (request) => {
        if (request.index !== first + at || !isOf(request, on) || !hasSuch(request, on)) {
          return "ok";
        }
        met = request;
        if (fate === "held") {
          await over.promise;
          return "ok";
        }
        return fate;
      };
      return {
        store: isUnanswered(wire) ? place.open(TIMEOUT_MS) : store,
        said() {
          return met === null ? null : `${name} to request ${at} (${met.operation} ${met.key})`;
        },
        isDead: () => false,
        async settle() {
          over.resolve();
          await eventLoopTurn();
          double.plan = () => "ok";
        },
      };
    },
  };
}

/** Only an existing object has a body that can be cut. */
function hasSuch({ key }: S3Request, on: WireFate["on"]): boolean {
  return on !== "bodies" || place.double.bucket.objects.has(key);
}

function isOf({ operation, ifMatch }: S3Request, on: WireFate["on"]): boolean {
  switch (on) {
    case "reads":
      return operation !== "PutObject";
    case "bodies":
      return operation === "GetObject";
    case "writes":
      return operation === "PutObject";
    case "replacements":
      return operation === "PutObject" && ifMatch !== undefined;
  }
}

const isUnanswered = ({ fate }: WireFate) => fate === "held" || (fate instanceof Object && "hang" in fate);

/** A run's requests to S3. */
async function requestsOf(subject: Subject): Promise<readonly S3Request[]> {
  await place.reset(subject.base);
  const first = place.double.requests.length;
  await subject.begin(place.isBusy)(place.open());
  return place.double.requests.slice(first);
}

/** Every fate, at up to `ofKind` requests of each kind that can have it. */
async function everyKind(subject: Subject, fates: readonly WireFate[], ofKind: number): Promise<void> {
  const requests = await requestsOf(subject);
  const kinds = requests.map(({ operation, key, prefix }) => `${operation} ${sortOf(withoutPrefix(key || prefix))}`);
  const trials = fates.flatMap((fate) =>
    ofEachKind(kinds, ofKind)
      .filter((at) => isOf(requests[at] as S3Request, fate.on))
      .map((at) => [wireFate(at, fate)]),
  );
  await tryEach("answers on the wire", place, subject, trials);
}

/** Each trial has its own folder. */
function withoutPrefix(key: string): string {
  return key.slice(key.indexOf("/") + 1);
}

// Requests that wait for their timeout cost real time. All of the first run's are tried; those of the other
// runs, and the nightly run, only with FILLBOOK_CRASH=all.
const ANSWERED = ALL ? FATES : FATES.filter((fate) => !isUnanswered(fate));

const SUBJECTS: readonly [string, () => Subject | Promise<Subject>, readonly WireFate[], ofKind: number][] = [
  ["first run", firstRun, FATES, 3],
  ["export", exportRun, ANSWERED, 2],
];

test.each(ALL ? [...SUBJECTS, ["nightly run", nightlyRun, FATES, 3] as const] : SUBJECTS)(
  "%s: requests to S3 of each kind fail in every way, and nothing is lost",
  async (_, make, fates, ofKind) => {
    await everyKind(await make(), fates, ofKind);
  },
  TEST_TIMEOUT_MS,
);

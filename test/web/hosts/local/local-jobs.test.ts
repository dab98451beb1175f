import { describe, expect, test } from "vitest";
import { FillbookError } from "../../../../lambda/core/errors.ts";
import type { Progress } from "../../../../lambda/job/context.ts";
import { createLocalJobs, type JobEnd, type Watch } from "../../../../lambda/web/hosts/local/local-jobs.ts";
import type { JobState, MakeRequest, User } from "../../../../lambda/web/ports.ts";
import { countedIds } from "../../../support/prng.ts";

const USER: User = { name: "ann", roleIn: () => "operator" };
const SYNC: MakeRequest = { account: "main", kind: "sync" };
const DONE: JobEnd = { note: "All is read.", pack: null, problem: null };
const COUNTS = { windowsDone: 1, windowsOpen: 2, pages: 12, requests: 13, refused: 0, fillsSeen: 1200 };
const PROGRESS: Progress = { stage: "walking", ...COUNTS, covered: 0.25 };

/** Jobs whose ends the test decides. */
function tested() {
  const running: (Watch & { request: MakeRequest; end: (end: JobEnd | Error) => void })[] = [];
  const ended: JobState[] = [];
  const jobs = createLocalJobs(
    {
      now: () => 7,
      id: countedIds("job"),
      run: (request, watch) =>
        new Promise((resolve, reject) => {
          running.push({ request, ...watch, end: (end) => (end instanceof Error ? reject(end) : resolve(end)) });
        }),
    },
    (state) => ended.push(state),
  );
  const start = (kind: MakeRequest["kind"] = "sync", account = "main") => jobs.start({ account, kind }, USER);
  return { jobs, running, ended, start };
}

/** Lets everything that is due now run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A job that runs. `over`: its state once it has ended so. */
async function begun(kind: MakeRequest["kind"] = "sync") {
  const { jobs, running, ended, start } = tested();
  const state = await start(kind);
  await turn();
  const [job = expect.fail("nothing runs")] = running;
  const over = async (end: JobEnd | Error) => {
    job.end(end);
    await jobs.idle();
    return await jobs.find("main", "job-1");
  };
  return { jobs, job, ended, state, over };
}

describe("a job", () => {
  test("tells its progress and its result", async () => {
    const { jobs, job, ended, state, over } = await begun();
    const first = { id: "job-1", request: SYNC, startedBy: "ann", startedAt: 7, state: "running", covered: null };
    expect(state).toMatchObject(first);
    job.report(PROGRESS);
    const read = "1,200 fills read so far, in 12 pages of the venue's answers.";
    expect(await jobs.find("main", "job-1")).toMatchObject({ state: "running", covered: 0.25, note: read });
    job.report({ ...PROGRESS, stage: "waiting", note: "another run (a:1:b) holds the archive" });
    const waiting = "Waiting: another run (a:1:b) holds the archive.";
    expect(await jobs.find("main", "job-1")).toMatchObject({ covered: 0.25, note: waiting });
    job.report({ ...PROGRESS, stage: "packing", covered: 1 });
    const making = "All fills were read. The files are being made.";
    expect(await jobs.find("main", "job-1")).toMatchObject({ covered: null, note: making });
    const checked = { step: "packs", objects: 1812, done: 5, of: 9 } as const;
    job.report({ ...PROGRESS, stage: "verifying", pages: 0, fillsSeen: 0, covered: 0.5, checked });
    expect(await jobs.find("main", "job-1")).toMatchObject({ covered: 0.5, note: "1,812 objects checked so far." });
    const pack = { period: "us-2025", version: "0" };
    expect(await over({ ...DONE, pack })).toMatchObject({ state: "done", covered: 1, note: "All is read.", pack });
    expect(ended).toEqual(await jobs.recent("main"));
  });

  const refused = new FillbookError("token", "the token was refused", { hint: "set another" });
  const full = new FillbookError("fault", "the disk is full", { hint: "make room" });

  test.each<[JobEnd | Error, boolean, string]>([
    [{ ...DONE, problem: refused }, false, "The token was refused. Set another."],
    [{ ...DONE, problem: new FillbookError("incomplete", "no answer") }, false, "No answer."],
    [{ ...DONE, problem: full }, true, "The disk is full. Make room."],
    [new Error("disk full"), true, "Disk full."],
  ])("that ends with a problem or an error tells what happened, and what to do", async (end, isStopped, note) => {
    const { jobs, over } = await begun();
    await (isStopped ? jobs.stop("main", "job-1") : null);
    expect(await over(end)).toMatchObject({ state: "failed", note, pack: null });
  });
});

describe("a job that is stopped", () => {
  test("gets the signal, and ends as stopped with what it has", async () => {
    const { jobs, job, over } = await begun();
    await jobs.stop("other", "job-1");
    expect([job.signal.aborted, await jobs.find("other", "job-1")]).toEqual([false, null]);
    expect([await jobs.recent("other"), await jobs.find("main", "job-2")]).toEqual([[], null]);
    await jobs.stop("main", "job-1");
    expect(job.signal.aborted).toBe(true);
    job.report(PROGRESS);
    expect(await jobs.find("main", "job-1")).toMatchObject({ state: "running", note: "It stops as soon as it can." });
    const problem = new FillbookError("incomplete", "the run was asked to stop");
    const note = "This job was stopped. What was read is kept.";
    expect(await over({ ...DONE, problem })).toMatchObject({ state: "stopped", note });
  });

  test("after it has ended is done", async () => {
    const { jobs, over } = await begun();
    await jobs.stop("main", "job-1");
    expect(await over(DONE)).toMatchObject({ state: "done", note: DONE.note });
    await jobs.stop("main", "job-1");
    await jobs.stop("main", "job-9");
    expect(await jobs.find("main", "job-1")).toMatchObject({ state: "done" });
  });

  test("while it waits for another never begins, and the next waiting job does", async () => {
    const { jobs, running, start } = tested();
    await start();
    await start("verify");
    await start("export");
    await jobs.stop("main", "job-2");
    await turn();
    running[0]?.end(DONE);
    await turn();
    expect(running.map(({ request }) => request.kind)).toEqual(["sync", "export"]);
    expect(await jobs.find("main", "job-2")).toMatchObject({ state: "stopped" });
  });
});

describe("several jobs", () => {
  test("the same request during a job is the same job, whatever the order of its fields; afterwards it is a new one", async () => {
    const { jobs, running } = tested();
    const first: MakeRequest = { account: "main", kind: "export", period: "us-2025", method: "fifo" };
    const same: MakeRequest = { method: "fifo", period: "us-2025", kind: "export", account: "main" };
    const others = [{ method: "average" }, { zone: "UTC" }, { basis: "transaction" }, { currency: "EUR" }];
    const ids: string[] = [];
    for (const request of [first, same, ...others.map((other) => ({ ...first, ...other }))]) {
      ids.push((await jobs.start(request, USER)).id);
    }
    expect(ids).toEqual(["job-1", "job-1", "job-2", "job-3", "job-4", "job-5"]);
    await turn();
    running[0]?.end(DONE);
    await turn();
    expect((await jobs.start(first, USER)).id).toBe("job-6");
  });

  test("of one account run one after another, of two accounts in parallel", async () => {
    const { running, start } = tested();
    await start();
    await start("verify");
    await start("sync", "other");
    await turn();
    expect(running.map(({ request }) => [request.account, request.kind])).toEqual([
      ["main", "sync"],
      ["other", "sync"],
    ]);
    running[0]?.end(new Error("x"));
    await turn();
    expect(running.map(({ request }) => request.kind)).toEqual(["sync", "sync", "verify"]);
  });

  test("are at most ten at once", async () => {
    const { start } = tested();
    await Promise.all(Array.from({ length: 10 }, (_, at) => start("sync", `a${at}`)));
    await expect(start()).rejects.toMatchObject({ kind: "usage" });
  });

  test("the last fifty are kept, and every running one", async () => {
    const { jobs, running, start } = tested();
    await start();
    for (let at = 0; at < 60; at += 1) {
      await start("sync", "other");
      await turn();
      running.at(-1)?.end(DONE);
      await turn();
    }
    expect((await jobs.recent("other")).length).toBe(50);
    expect((await jobs.recent("other"))[0]).toMatchObject({ id: "job-61" });
    expect(await jobs.find("main", "job-1")).toMatchObject({ state: "running" });
  });
});

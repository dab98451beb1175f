import { describe, expect, test } from "vitest";
import type { Role } from "../../../lambda/web/ports.ts";
import { jobList, jobPage } from "../../../lambda/web/views/jobs.ts";
import { frameOf, jobOf } from "./samples.ts";

const FAILED = jobOf({ state: "failed", covered: null, note: "the data files are damaged: restore them." });

describe("a job that failed", () => {
  test("tells an operator what to do", () => {
    const page = jobPage(frameOf(), { job: FAILED, role: "operator", reached: null });
    expect(page).toContain('aria-live="polite"><p><bdi>the data files are damaged: restore them.</bdi></p></div>');
    expect(page).toContain("When the cause is fixed, start the job again");
    expect(page).not.toContain("Tell an operator");
  });

  test("tells an accountant whom to inform, with the details folded away", () => {
    const page = jobPage(frameOf(), { job: FAILED, role: "accountant", reached: null });
    expect(page).toContain("Tell an operator of this account.</p>\n<details>");
    expect(page.match(/<details>.*<\/details>/)?.[0]).toContain("the data files are damaged: restore them.");
    expect(page.replace(/<details>.*<\/details>/, "")).not.toContain("damaged");
    expect(page).toContain("Start again</button>");
  });
});

test.each(["running", "done"] as const)("a job that is %s shows the same to both", (state) => {
  const job = jobOf({ state });
  const pageFor = (role: Role) => jobPage(frameOf(), { job, role, reached: null });
  expect(pageFor("accountant")).toBe(pageFor("operator"));
});

test("users who may start a job can stop it, and continue a stopped one", () => {
  const running = jobOf({ state: "running" });
  const sync = jobOf({ state: "running", request: { account: "main", kind: "sync" } });
  const stops = (job: typeof running, role: Role) =>
    jobPage(frameOf(), { job, role, reached: null }).includes(`action="/a/main/jobs/${job.id}/stop"`);
  expect([stops(running, "accountant"), stops(running, "operator")]).toEqual([true, true]);
  expect([stops(sync, "accountant"), stops(sync, "operator")]).toEqual([false, true]);
  const stopped = jobPage(frameOf(), { job: jobOf({ state: "stopped" }), role: "operator", reached: null });
  expect(stopped).toContain("If you start it again, it continues where it stopped.");
  expect(stopped).toContain("Start again</button>");
  expect(stopped).not.toContain("▲");
});

test("a running job shows up to when the requested range is read", () => {
  const page = jobPage(frameOf(), { job: jobOf(), role: "operator", reached: Date.UTC(2025, 2, 14) });
  expect(page.replaceAll(/<[^>]*>/g, "")).toContain("Read without a gap up to 14 Mar 2025 00:00 UTC.");
});

test("the list links a finished job to its pack, and other jobs to none", () => {
  const pack = { period: "us-2025", version: "0123456789abcdef" };
  const { markup } = jobList("main", [jobOf({ state: "done", pack }), jobOf({ state: "failed" })]);
  expect(markup.match(/href="\/a\/main\/p\/us-2025\/0123456789abcdef">Open the pack</g)).toHaveLength(1);
});

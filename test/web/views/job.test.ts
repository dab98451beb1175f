import { describe, expect, test } from "vitest";
import { jobPage } from "../../../lambda/web/views/jobs.ts";
import { frameOf, jobOf } from "./samples.ts";

const FAILED = jobOf({ state: "failed", covered: null, note: "the parts are damaged: restore them." });

describe("a job that failed", () => {
  test("says to an operator what to do", () => {
    const page = jobPage(frameOf(), FAILED, "operator");
    expect(page).toContain('aria-live="polite"><p><bdi>the parts are damaged: restore them.</bdi></p></div>');
    expect(page).toContain("Do what the sentence above says, then start it again");
    expect(page).not.toContain("Tell an operator");
  });

  test("says to an accountant whom to tell, and keeps what to tell them folded away", () => {
    const page = jobPage(frameOf(), FAILED, "accountant");
    expect(page).toContain("Tell an operator of this account.</p><details>");
    expect(page.match(/<details>.*<\/details>/)?.[0]).toContain("the parts are damaged: restore them.");
    expect(page.replace(/<details>.*<\/details>/, "")).not.toContain("damaged");
    expect(page).not.toContain("sentence above");
    expect(page).toContain("Start it again</button>");
  });
});

test.each(["running", "done"] as const)("a job that is %s says the same to both", (state) => {
  const job = jobOf({ state });
  expect(jobPage(frameOf(), job, "accountant")).toBe(jobPage(frameOf(), job, "operator"));
});

import { describe, expect, test } from "vitest";
import { isCollectable, taskAnswerKey } from "../../lambda/archive/keys.ts";
import { readTask } from "../../lambda/job/lambda/task.ts";
import { leaveTaskAnswer, takeTaskAnswer } from "../../lambda/job/task-answer.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { memoryStore } from "../support/memory-store.ts";

const PLACE = { account: "main", runId: "tax-2025" };

describe("the answer of a task", () => {
  test("is taken only by a slice of the same run; the newest answer counts", async () => {
    const store = memoryStore();
    await leaveTaskAnswer(store, PLACE, { answer: { dir: "a" }, problem: null });
    await leaveTaskAnswer(store, PLACE, { answer: { dir: "b", complete: true }, problem: null });
    expect(await takeTaskAnswer(store, PLACE)).toEqual({ dir: "b", complete: true });
    for (const other of [
      { ...PLACE, runId: "tax-2024" },
      { ...PLACE, account: "second" },
    ]) {
      await expect(takeTaskAnswer(store, other)).rejects.toMatchObject({ kind: "fault" });
    }
  });

  test("that is not complete becomes the problem that prevented it", async () => {
    const store = memoryStore();
    const problem = { kind: "untrusted", message: "damaged", hint: "restore" } as const;
    await leaveTaskAnswer(store, PLACE, { answer: null, problem });
    await expect(takeTaskAnswer(store, PLACE)).rejects.toMatchObject(problem);
    await leaveTaskAnswer(store, PLACE, { answer: { complete: false }, problem: { ...problem, hint: null } });
    await expect(takeTaskAnswer(store, PLACE)).rejects.toMatchObject({ kind: "untrusted", hint: undefined });
  });

  test.each([
    ["no JSON", "what eyJhbGciOiJIUzI1NiJ9 said"],
    ["nothing", "null"],
    ["a list", "[]"],
    ["of another run", JSON.stringify({ runId: "tax-2024", answer: { dir: "x" }, problem: null })],
    ["of no run", JSON.stringify({ answer: { dir: "x" }, problem: null })],
    ["a text", JSON.stringify({ runId: PLACE.runId, answer: "done", problem: null })],
    ["without a problem", JSON.stringify({ runId: PLACE.runId, answer: { dir: "x" } })],
    [
      "with a problem of an unknown kind",
      JSON.stringify({ runId: PLACE.runId, answer: null, problem: { kind: "odd", message: "m", hint: null } }),
    ],
    [
      "with a problem without a message",
      JSON.stringify({ runId: PLACE.runId, answer: null, problem: { kind: "fault", message: {}, hint: null } }),
    ],
  ])("that is %s is refused, and the message does not repeat it", async (_, text) => {
    const store = memoryStore();
    store.put(taskAnswerKey(PLACE.account, PLACE.runId), Buffer.from(text));
    await expect(takeTaskAnswer(store, PLACE)).rejects.toMatchObject({
      kind: "untrusted",
      message: expect.stringMatching(
        /^memory\/main\/answers\/[0-9a-f]{64}\.json is not an answer of the task of run tax-2025$/,
      ),
    });
  });

  test("of another task at the same moment is not overwritten", async () => {
    const store = memoryStore();
    const racing = faultyStore(store, ({ method }) => {
      if (method === "replaceIf") {
        store.put(taskAnswerKey(PLACE.account, PLACE.runId), Buffer.from("{}"));
      }
      return "ok";
    });
    const left = leaveTaskAnswer(racing, PLACE, { answer: {}, problem: null });
    await expect(left).rejects.toMatchObject({ kind: "incomplete" });
  });

  test("has a valid name in the store, whatever the run is called, and is deleted later", () => {
    for (const runId of ["tax-2025", "../../other", "a/b", "ü\u202e", "x".repeat(10_000)]) {
      const key = taskAnswerKey("main", runId);
      expect(key).toMatch(/^main\/answers\/[0-9a-f]{64}\.json$/);
      expect(isCollectable("main", key)).toBe(true);
    }
    expect(taskAnswerKey("main", "a")).not.toBe(taskAnswerKey("main", "b"));
  });
});

describe("a task's event", () => {
  test("is the run's event, read from the environment", () => {
    const event = { action: "export", runId: "tax-2025" };
    expect(readTask({ FILLBOOK_EVENT: JSON.stringify(event) })).toEqual({ event, runId: "tax-2025" });
  });

  test.each([undefined, "", "null", "[]", "{", '{"runId":1}', '{"runId":""}', '{"action":"sync"}'])(
    "is refused: %s",
    (text) => {
      expect(() => readTask({ FILLBOOK_EVENT: text })).toThrow(/FILLBOOK_EVENT does not hold the event of a run/);
    },
  );
});

import { describe, expect, test } from "vitest";
import { createSessions, SESSION_MS } from "../../../lambda/serve/sessions.ts";

function tested() {
  let ids = 0;
  const clock = { now: 1000 };
  const keys: string[] = [];
  const random = {
    id: () => {
      ids += 1;
      return `id-${ids}`;
    },
  };
  const sessions = createSessions({ random, now: () => clock.now, ended: (key) => keys.push(key) });
  return { sessions, clock, keys };
}

describe("the key", () => {
  test("opens one session, once", () => {
    const { sessions, keys } = tested();
    const session = sessions.open(sessions.firstKey);
    expect(session).toEqual({ id: "id-2", csrf: "id-3", endsAt: 1000 + SESSION_MS });
    expect(sessions.open(sessions.firstKey)).toBeNull();
    expect(sessions.find("id-2")).toBe(session);
    expect(keys).toEqual([]);
  });

  test.each(["", "id", "id-2", "ID-1", "id-1 "])("is not %j", (key) => {
    const { sessions } = tested();
    expect(sessions.open(key)).toBeNull();
    expect(sessions.open(sessions.firstKey)).not.toBeNull();
  });

  test("is another one after signing out: neither the old key nor the old session is good for anything", () => {
    const { sessions, keys } = tested();
    const session = sessions.open(sessions.firstKey);
    sessions.end();
    expect([sessions.find(session?.id ?? ""), sessions.open(sessions.firstKey)]).toEqual([null, null]);
    expect(keys.map((key) => sessions.open(key) !== null)).toEqual([true]);
  });
});

describe("a session", () => {
  test("ends by its time, and there is another key", () => {
    const { sessions, clock, keys } = tested();
    const session = sessions.open(sessions.firstKey);
    clock.now += SESSION_MS - 1;
    expect(sessions.find("id-2")).toBe(session);
    clock.now += 1;
    expect([sessions.find("id-2"), sessions.find("id-2")]).toEqual([null, null]);
    expect(keys).toEqual(["id-4"]);
    expect(sessions.open("id-4")).not.toBeNull();
  });

  test("is not found by another name", () => {
    const { sessions } = tested();
    expect(sessions.find("")).toBeNull();
    sessions.open(sessions.firstKey);
    expect(["", "id-1", "id-3", "undefined", "null"].map(sessions.find)).toEqual([null, null, null, null, null]);
  });
});

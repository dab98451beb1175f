import { describe, expect, test } from "vitest";
import { createSessions, SESSION_MS } from "../../../../lambda/web/hosts/local/sessions.ts";
import { countedIds } from "../../../support/prng.ts";

function tested() {
  const clock = { now: 1000 };
  const keys: string[] = [];
  const random = { id: countedIds() };
  const sessions = createSessions({ random, now: () => clock.now, offered: (key) => keys.push(key) });
  return { sessions, clock, keys };
}

describe("the key", () => {
  test("opens one session, once", () => {
    const { sessions, keys } = tested();
    const session = sessions.open(sessions.firstKey);
    expect(session).toEqual({ id: "id-2", root: "/id-3", endsAt: 1000 + SESSION_MS });
    expect(keys).toEqual([]);
    expect(sessions.open(sessions.firstKey)).toBeNull();
    expect(sessions.find("id-2")).toBe(session);
  });

  test("that is used up brings a new one, which ends the present session only when it is used", () => {
    const { sessions, keys } = tested();
    const first = sessions.open(sessions.firstKey);
    sessions.open(sessions.firstKey);
    expect(keys).toHaveLength(1);
    expect(sessions.find(first?.id ?? "")).toBe(first);
    const second = sessions.open(keys[0] ?? "");
    expect(second).not.toBeNull();
    expect([sessions.find(first?.id ?? ""), sessions.find(second?.id ?? "")]).toEqual([null, second]);
    expect(sessions.open(keys[0] ?? "")).toBeNull();
  });

  test("is offered at most once a minute, and stays the same until it is used", () => {
    const { sessions, clock, keys } = tested();
    sessions.open(sessions.firstKey);
    const triedAt = (ms: number) => {
      clock.now = 1000 + ms;
      sessions.open("wrong");
      return keys.length;
    };
    expect([0, 0, 59_999, 60_000, 60_001, 119_999, 120_000].map(triedAt)).toEqual([1, 1, 1, 2, 2, 2, 3]);
    expect(new Set(keys).size).toBe(1);
    expect(sessions.open(keys[0] ?? "")).not.toBeNull();
    expect(triedAt(180_000)).toBe(4);
    expect(new Set(keys).size).toBe(2);
  });

  test.each(["", "id", "id-2", "ID-1", "id-1 "])("is not %j", (key) => {
    const { sessions, keys } = tested();
    expect(sessions.open(key)).toBeNull();
    expect(keys).toEqual([sessions.firstKey]);
    expect(sessions.open(sessions.firstKey)).not.toBeNull();
  });

  test("is a new one after signing out: the old key and the old session are invalid", () => {
    const { sessions, keys } = tested();
    const session = sessions.open(sessions.firstKey);
    sessions.end();
    expect([sessions.find(session?.id ?? ""), sessions.open(sessions.firstKey)]).toEqual([null, null]);
    const [afterwards = ""] = keys;
    expect(sessions.open(afterwards)).not.toBeNull();
  });
});

describe("a session", () => {
  test("ends when its time is over, and there is a new key", () => {
    const { sessions, clock, keys } = tested();
    const session = sessions.open(sessions.firstKey);
    clock.now += SESSION_MS - 1;
    expect(sessions.find("id-2")).toBe(session);
    clock.now += 1;
    expect([sessions.find("id-2"), sessions.find("id-2")]).toEqual([null, null]);
    expect(keys).toEqual(["id-4"]);
    expect(sessions.open("id-4")).not.toBeNull();
  });

  test("has its own root, which belongs to nobody after its end", () => {
    const { sessions, keys } = tested();
    expect(sessions.within("/id-3/")).toBeNull();
    sessions.open(sessions.firstKey);
    expect(["/id-3", "/id-3/", "/id-3/a/b", "/id-3//a"].map(sessions.within)).toEqual(["/", "/", "/a/b", "//a"]);
    expect(["/", "/id-34/", ""].map(sessions.within)).toEqual([null, null, null]);
    sessions.end();
    expect(sessions.within("/id-3/")).toBeNull();
    const next = sessions.open(keys[0] ?? "");
    expect([sessions.within("/id-3/a"), sessions.within(`${next?.root}/a`)]).toEqual([null, "/a"]);
  });
});

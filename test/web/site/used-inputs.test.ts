import { describe, expect, test } from "vitest";
import { completeness, latestText, packByHand } from "../data/hand-written.ts";
import { type FakePorts, FILES, fakePorts, OLDER, sha256Of, testedSite, VERSION } from "./fake-site.ts";
import { readable } from "./uploads.ts";

const MADE_WITH = [{ path: "inputs/funding.csv", sha256: "ab" }];
const MAKE = { kind: "export", period: "us-2025", method: "fifo" };

/** The newest pack of us-2025 was made with these files. */
function portsWith(inputs: readonly object[]): FakePorts {
  const claim = completeness("us-2025", { accounts: { report_currency: null, inputs, net_realised_pnl: [] } });
  return packedIn(fakePorts(), { "completeness.json": claim });
}

/** The newest pack of us-2025 has these files. */
function packedIn(ports: FakePorts, files: Readonly<Record<string, string>>): FakePorts {
  for (const [key, body] of packByHand({ period: "us-2025", version: VERSION, files: { ...FILES, ...files } })) {
    ports.store.put(key, body);
  }
  return ports;
}

/** Nothing is left of what begins so. */
function portsWithout(prefix: string): FakePorts {
  const ports = fakePorts();
  for (const key of ports.store.snapshot().keys()) {
    if (key.startsWith(prefix)) {
      ports.store.delete(key);
    }
  }
  return ports;
}

describe("a pack whose newest version was made with a file that is not among the user's", () => {
  test("is not made at once: the page names the file, and starts it for who says so", async () => {
    const ports = portsWith(MADE_WITH);
    const { post, refusals } = testedSite(ports);
    const asked = await post("/a/main/jobs", MAKE);
    expect(asked.status).toBe(400);
    expect(readable(asked.body)).toContain(
      "The newest pack of this period was made with funding.csv, and this one would not be",
    );
    expect(ports.started).toEqual([]);
    expect(refusals).toMatchObject([{ status: 400 }]);
    const [form = ""] = /<form method="post"[\s\S]*?Make it all the same/.exec(asked.body) ?? [];
    const fields = [...form.matchAll(/name="(?<name>\w+)" value="(?<value>[^"]*)"/g)].map(({ groups }) => groups);
    const sent = Object.fromEntries(fields.map((field) => [field?.["name"], field?.["value"]]));
    expect(Object.keys(sent).toSorted()).toEqual(["kind", "method", "period", "without"]);
    expect(await post("/a/main/jobs", sent)).toMatchObject({ status: 303 });
    expect(ports.started).toEqual([{ account: "main", ...MAKE }]);
  });

  test("is made where the file is there, and so is one of another period", async () => {
    const ports = portsWith(MADE_WITH);
    const { post } = testedSite(ports);
    expect(await post("/a/main/jobs", { ...MAKE, period: "us-2024" })).toMatchObject({ status: 303 });
    ports.store.put("main/inputs/funding.csv", Buffer.from("x"));
    expect(await post("/a/main/jobs", MAKE)).toMatchObject({ status: 303 });
    expect(ports.started).toHaveLength(2);
  });

  test("who agreed to miss one file has not agreed to miss another", async () => {
    const ports = portsWith([...MADE_WITH, { path: "inputs/marks.csv", sha256: "cd" }]);
    const { post } = testedSite(ports);
    const missing = (names: string) =>
      `the newest pack of this period was made with ${names}, and this one would not be`;
    expect((await post("/a/main/jobs", { ...MAKE, without: missing("funding.csv") })).status).toBe(400);
    expect(await post("/a/main/jobs", { ...MAKE, without: missing("funding.csv, marks.csv") })).toMatchObject({
      status: 303,
    });
  });

  test("the account's page says so too", async () => {
    const saidOf = async (inputs: readonly object[]) =>
      readable((await testedSite(portsWith(inputs)).ask("/a/main")).body);
    expect(await saidOf(MADE_WITH)).toMatch(
      /▲ Records complete; .*; files changed since .* It was made with funding\.csv, which is not among your files\. Upload what is missing: a pack made now will not use it\./,
    );
    expect(await saidOf([...MADE_WITH, { path: "inputs/marks.csv", sha256: "cd" }])).toMatch(
      /was made with funding\.csv, marks\.csv, which are not among your files\. Upload what is missing: a pack made now will not use them\./,
    );
  });
});

describe("a pack whose newest version cannot be read", () => {
  function portsWithUnreadable(): FakePorts {
    const summary = "currency,fills,closes_with_unknown_pnl,realised_pnl_net_incl_funding\r\nUSD,3,1,-1.50\r\n";
    return packedIn(fakePorts(), { "completeness.json": "{", "summary.csv": summary });
  }

  test("is not made at once: it is not known with which files, and the page asks", async () => {
    const ports = portsWithUnreadable();
    const { post } = testedSite(ports);
    const asked = await post("/a/main/jobs", MAKE);
    expect(asked.status).toBe(400);
    expect(readable(asked.body)).toContain("It is not known which files the newest pack of this period was made with");
    expect(asked.body).toContain("Make it all the same</button>");
    expect(ports.started).toEqual([]);
    expect(
      await post("/a/main/jobs", {
        ...MAKE,
        without: "it is not known which files the newest pack of this period was made with",
      }),
    ).toMatchObject({ status: 303 });
    expect(ports.started).toEqual([{ account: "main", ...MAKE }]);
  });

  test.each(["/", "/a/main"])("is not called complete at %s, and has no figures", async (target) => {
    const { body } = await testedSite(portsWithUnreadable()).ask(target);
    expect(readable(body)).toContain("▲ Cannot be read");
    expect(body).not.toMatch(/class="tag good"|Net realised PnL/);
  });
});

test.each(["/", "/a/main"])(
  "of two versions neither is the current one if latest.json is damaged: %s",
  async (target) => {
    const ports = fakePorts();
    ports.store.put("main/packs/us-2025/latest.json", Buffer.from("{"));
    const { body } = await testedSite(ports).ask(target);
    expect(readable(body)).toContain("It is not known which version is current. Make the pack again.");
    expect(body).not.toContain('class="tag good"');
  },
);

describe("a version that latest.json names and that is gone", () => {
  const MISSING = `The current version is missing: latest.json names version ${VERSION}, which is not in the store. Restore it from a copy, or make the pack again.`;
  const withoutNewest = () => testedSite(portsWithout(`main/packs/us-2025/${VERSION}/`));

  test.each(["/", "/a/main", `/a/main/p/us-2025/${OLDER}`])("is told, with what to do, at %s", async (target) => {
    const { status, body } = await withoutNewest().ask(target);
    expect(status).toBe(200);
    expect(readable(body)).toMatch(/▲ Records complete; [^▲]*; stale/);
    expect(readable(body)).toContain(MISSING);
    // The version that is left is not called the current one.
    expect(body).not.toContain('class="tag good"');
  });

  test.each(["month-2026-01", "us-2024", "us-2025"])("is told of %s that has no version left", async (period) => {
    const ports = portsWithout(`main/packs/${period}/`);
    ports.store.put(`main/packs/${period}/latest.json`, latestText(VERSION));
    const { status, body } = await testedSite(ports).ask("/a/main");
    const [, row = ""] = body.split(`data-period="${period}"`);
    expect(status).toBe(200);
    expect(readable(row)).toContain("▲ Missing");
    expect(readable(row)).toContain(MISSING);
    expect(body).not.toContain("None of these packs was finished");
    expect(body).not.toContain(`/p/${period}/`);
  });
});

test("the form of a pack says with which of the user's files it will be made", async () => {
  const ports = fakePorts();
  const { ask } = testedSite(ports);
  expect(readable((await ask("/a/main/make")).body)).toContain("It is made without files of yours");
  ports.store.put("main/inputs/funding.csv", Buffer.from("x"));
  ports.store.put("main/inputs/rates/ecb.csv", Buffer.from("x"));
  expect(readable((await ask("/a/main/make")).body)).toContain(
    "It is made with your files funding.csv , rates/ecb.csv . Change your files",
  );
});

test("a file that is another than the newest pack's, however old it is, is named beside it, with the button that makes it again", async () => {
  const ports = portsWith([{ path: "inputs/funding.csv", sha256: sha256Of("x") }]);
  const { ask } = testedSite(ports);
  ports.store.put("main/inputs/funding.csv", Buffer.from("x"));
  expect(readable((await ask("/a/main")).body)).not.toContain("It was made without");
  // Put up while the pack was being made: it is not newer than the pack.
  ports.store.put("main/inputs/funding.csv", Buffer.from("y"));
  const { body } = await ask("/a/main");
  expect(readable(body)).toContain("It was made without the present funding.csv. Make it again.");
  const [form = ""] = /<form class="start"[^>]*>(?:(?!<\/form>)[\s\S])*Make it again/.exec(body) ?? [];
  expect(form).toContain('name="period" value="us-2025"');
});

import { describe, expect, test } from "vitest";
import { METHODS } from "../../../lambda/accounting/method.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench } from "../../support/job.ts";
import { type FakePorts, fakePorts, testedSite } from "./fake-site.ts";

const OBSTACLE = { message: "there is no token", hint: "start it again with one" };

/** The field that an answer blames, and what it says of it. */
function errorIn(page: string): readonly [string | undefined, string] {
  const { id, text = "" } =
    /<span class="error" id="(?<id>[\w-]+)-error">(?<text>.*?)<\/span>(?=<)/s.exec(page)?.groups ?? {};
  return [id, text.replaceAll(/<[^>]*>/g, "")];
}

describe("a country that is chosen beside another one's years", () => {
  const form = { kind: "export", years: "us", period: "us-2025", zone: "Europe/London", method: "fifo" };

  test("makes nothing, and shows its own years; what was typed stays", async () => {
    const ports = fakePorts();
    const { post, refusals } = testedSite(ports);
    const { status, body } = await post("/a/main/jobs", { ...form, country: "uk" });
    expect([status, ports.started, refusals]).toEqual([200, [], []]);
    expect(body).toContain("<legend>Tax years of the United Kingdom</legend>");
    expect(body).toContain("Choose one of the tax years of the United Kingdom below");
    expect(body).toMatch(/value="uk-2024-25" required checked/);
    expect(body).toMatch(/<option value="uk" selected/);
    expect(body).toContain('<option value="fifo" selected>');
    expect(body).toContain('value="Europe/London"');
    expect(body).toMatch(/<details name="make" open><summary>A tax year/);
  });

  test("is shown by its button without a word of blame", async () => {
    const ports = fakePorts();
    const { body } = await testedSite(ports).post("/a/main/jobs", { ...form, country: "de", show: "years" });
    expect(ports.started).toEqual([]);
    expect(body).toContain("<legend>Tax years of Germany</legend>");
    expect(body).not.toContain("was not made");
  });

  test("of the same country is made", async () => {
    const ports = fakePorts();
    expect(await testedSite(ports).post("/a/main/jobs", { ...form, country: "us" })).toMatchObject({ status: 303 });
    expect(ports.started).toHaveLength(1);
  });
});

describe("Specific identification", () => {
  const form = { kind: "export", period: "us-2025", method: "specific" };

  test("is refused at its field while there is no matches.csv, and started when it is there", async () => {
    const ports = fakePorts();
    const { post } = testedSite(ports, METHODS);
    const answer = await post("/a/main/jobs", form);
    expect([answer.status, ports.started]).toEqual([400, []]);
    expect(errorIn(answer.body)).toEqual(["tax-method", expect.stringMatching(/needs matches\.csv.*Files/)]);
    ports.store.put("main/inputs/matches.csv", Buffer.from("x"));
    expect(await post("/a/main/jobs", form)).toMatchObject({ status: 303 });
  });
});

describe("without a token", () => {
  /** Its archive covers the days from Christmas 2025 to 20 Jan 2026. */
  async function archived(): Promise<FakePorts> {
    const ports = fakePorts({ cannotAsk: () => OBSTACLE });
    const range = { from: Date.UTC(2025, 11, 25), to: Date.UTC(2026, 0, 20) };
    const history = makeHistory({ seed: 3, fills: 50, ...range });
    await syncArchive(makeBench({ history, job: { store: ports.store, account: "main" } }).job, range);
    return ports;
  }

  test("a pack of days that the archive lacks is refused at its field, and no run is begun", async () => {
    const ports = await archived();
    const { post } = testedSite(ports);
    const days = { kind: "export", from: "2026-01-10", last: "2026-01-24" };
    const answer = await post("/a/main/jobs", days);
    expect([answer.status, ports.started]).toEqual([400, []]);
    expect(errorIn(answer.body)).toEqual([
      "days-last",
      "▲ The archive lacks 5 days that this pack needs, and they cannot be read: there is no token. Start it again with one.",
    ]);
    expect(errorIn((await post("/a/main/jobs", { kind: "export", period: "us-2024" })).body)[0]).toBe("tax-period");
    expect(await post("/a/main/jobs", { ...days, last: "2026-01-15" })).toMatchObject({ status: 303 });
    expect(ports.started).toHaveLength(1);
  });

  test("the page says that it makes packs from the archive only, where there is one", async () => {
    const { ask } = testedSite(await archived());
    for (const target of ["/", "/a/main", "/a/main/make"]) {
      expect((await ask(target)).body).toContain("This page makes packs from the archive only.");
    }
  });
});

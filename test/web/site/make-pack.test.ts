import { expect, test } from "vitest";
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

test("the years of another country are shown by its code; what is typed for a period stays", async () => {
  const { ask, post } = testedSite(fakePorts());
  const { body } = await ask("/a/main/make?country=uk");
  expect(body).toContain('value="uk-2024-25"');
  const again = (await post("/a/main/jobs", { kind: "export", country: "uk", period: "uk-2024-25", zone: "x" })).body;
  expect(again).toContain('value="uk-2024-25" selected');
});

const form = { kind: "export", period: "us-2025", method: "specific" };

test("Specific identification is refused at its field while there is no matches.csv, and started when it is there", async () => {
  const ports = fakePorts();
  const { post } = testedSite(ports);
  const answer = await post("/a/main/jobs", form);
  expect([answer.status, ports.started]).toEqual([400, []]);
  expect(errorIn(answer.body)).toEqual(["method", expect.stringMatching(/needs matches\.csv.*Files/)]);
  ports.store.put("main/inputs/matches.csv", Buffer.from("x"));
  expect(await post("/a/main/jobs", form)).toMatchObject({ status: 303 });
});

/** Its archive covers the days from Christmas 2025 to 20 Jan 2026. */
async function archived(): Promise<FakePorts> {
  const ports = fakePorts({ cannotAsk: () => OBSTACLE });
  const range = { from: Date.UTC(2025, 11, 25), to: Date.UTC(2026, 0, 20) };
  const history = makeHistory({ seed: 3, fills: 50, ...range });
  await syncArchive(makeBench({ history, job: { store: ports.store, account: "main" } }).job, range);
  return ports;
}

test("without a token a pack of days that the archive lacks is refused at its field, and no run is begun", async () => {
  const ports = await archived();
  const { post } = testedSite(ports);
  const days = { kind: "export", from: "2026-01-10", last: "2026-01-24" };
  const answer = await post("/a/main/jobs", days);
  expect([answer.status, ports.started]).toEqual([400, []]);
  expect(errorIn(answer.body)).toEqual([
    "last",
    "▲ The archive lacks 5 days that this pack needs, and they cannot be read: there is no token. Start it again with one.",
  ]);
  expect(errorIn((await post("/a/main/jobs", { kind: "export", period: "us-2024" })).body)[0]).toBe("period");
  expect(await post("/a/main/jobs", { ...days, last: "2026-01-15" })).toMatchObject({ status: 303 });
  expect(ports.started).toHaveLength(1);
});

import { expect, test } from "vitest";
import { fakePorts, testedSite } from "./fake-site.ts";

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

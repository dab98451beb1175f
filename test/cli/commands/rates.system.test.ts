import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { readInputs } from "../../../lambda/inputs/inputs.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { run } from "./run.ts";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});

const shipped = (file: string) => readFile(join("lambda/cli/published-rates", file));

test("without a name, rates lists the files with their days and terms", async () => {
  const { code, stdout } = await run(["rates"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ecb +ECB, daily reference rates for 1 EUR +2022-01-03 +2026-03-05 +289\.3 kB$/m);
  expect(stdout).toMatch(/^hmrc-2025-03 +HMRC, yearly averages for 1 GBP +2024-04-06 +2025-04-05 +6\.1 kB$/m);
  expect(stdout).toMatch(/^Source: European Central Bank\./m);
  expect(stdout).toMatch(/Open Government Licence v3\.0\.$/m);

  const { rates } = JSON.parse((await run(["rates", "--json"])).stdout);
  const days = { from: "2022-01-03", to: "2026-03-05" };
  expect(rates[0]).toMatchObject({ name: "ecb", file: "ecb.csv", ...days, bytes: 289_303 });
});

describe("with a name", () => {
  test("a file is copied into --inputs, where export reads it; a second call finds it there", async () => {
    const bytes = await shipped("average_csv_2025-3.csv");
    const first = await run(["rates", "hmrc-2025-03", "--inputs", folder, "--json"]);
    const path = join(folder, "rates", "average_csv_2025-3.csv");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(first.stdout)).toMatchObject({ name: "hmrc-2025-03", file: path, isNew: true });
    expect(Buffer.compare(await readFile(path), bytes)).toBe(0);
    const again = await run(["rates", "hmrc-2025-03", "--inputs", folder]);
    expect(again.code).toBe(0);
    expect(again.stdout).toContain(`${path} is there already, with the same content\n`);
    const { files } = await readInputs({ kind: "folder", path: folder }, "UTC");
    expect(files.map(({ name }) => name)).toEqual(["rates/average_csv_2025-3.csv"]);
  });

  test("a file is copied into the store's inputs of the account", async () => {
    const ran = await run(["rates", "ecb", "--store", folder, "--account", "second"]);
    const path = join(folder, "second/inputs/rates/ecb.csv");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toBe(
      `${path}: ECB, daily reference rates for 1 EUR, 2022-01-03 to 2026-03-05\nSource: European Central Bank. Free to use if the ECB is named as the source.\n`,
    );
    expect(Buffer.compare(await readFile(path), await shipped("ecb.csv"))).toBe(0);
  });
});

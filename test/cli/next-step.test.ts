import { expect, test } from "vitest";
import { COMMANDS } from "../../lambda/cli/commands/table.ts";
import { afterExport, afterPacks, afterSync, nextLines, programOf, withPlaces } from "../../lambda/cli/next-step.ts";

test("the next command repeats the places that were typed, so that it works as printed", () => {
  const next = { command: "verify", does: "checks every file" };
  expect(nextLines(next, {})).toEqual(["Next: fillbook verify", "  checks every file"]);
  expect(nextLines(next, { account: "hedge", store: "./my books", packStore: "s3://b/p", json: true })).toEqual([
    "Next: fillbook verify --account hedge --store './my books' --pack-store s3://b/p",
    "  checks every file",
  ]);
  expect(nextLines({ ...next, command: "verify --account other" }, { account: "hedge" })[0]).toBe(
    "Next: fillbook verify --account other",
  );
});

test("after a sync, the pack of a past year is proposed; after an export, its report", () => {
  const after = (from: number, to: number) => afterSync({ from, to }).command;
  expect(after(0, Date.UTC(2026, 0, 1))).toBe("export --period calendar-2025");
  expect(after(0, Date.UTC(2026, 0, 1) - 1)).toBe("export --period calendar-2024");
  expect(after(Date.UTC(2025, 0, 1), Date.UTC(2025, 3, 1))).toBe("export --period month-2025-03");
  expect(after(Date.UTC(2024, 11, 1), Date.UTC(2025, 0, 9))).toBe("export --period month-2024-12");
  expect(afterExport({ out: undefined, period: "us-2025" }).command).toBe("open us-2025");
  expect(afterExport({ out: "./my year", period: "us-2025" }).command).toBe("open --out './my year'");
  expect(afterExport({ out: "-x", period: "us-2025" }).command).toBe("open --out=-x");
  expect(afterExport({ out: undefined, period: undefined }).command).toBe("packs");
});

test("a command in a sentence repeats the typed places, quoted, but no option that it has already", () => {
  const typed = { account: "hedge", store: "./it's mine", quiet: true } as const;
  const flags = "--account hedge --store './it'\\''s mine'";
  expect(withPlaces("run fillbook verify, or make it again with: fillbook export --period us-2025", typed)).toBe(
    `run fillbook verify ${flags}, or make it again with: fillbook export ${flags} --period us-2025`,
  );
  expect(withPlaces("Missing: x. To read it: fillbook sync --from 2025-01-01 --to 2025-02-01", typed)).toBe(
    `Missing: x. To read it: fillbook sync ${flags} --from 2025-01-01 --to 2025-02-01`,
  );
  expect(withPlaces("make it with: fillbook export --account a --account b; or see `fillbook packs`", typed)).toBe(
    `make it with: fillbook export --store './it'\\''s mine' --account a --account b; or see \`fillbook packs ${flags}\``,
  );
});

test("a command that asks the service repeats the addresses that were typed, and no other does", () => {
  const typed = { accountUrl: "http://127.0.0.1:34901", store: "./books" };
  const flags = "--store ./books --account-url http://127.0.0.1:34901";
  expect(withPlaces("if the trader is the same: fillbook sync --rebind", typed)).toBe(
    `if the trader is the same: fillbook sync ${flags} --rebind`,
  );
  expect(withPlaces("run fillbook doctor; see fillbook packs", typed)).toBe(
    `run fillbook doctor ${flags}; see fillbook packs --store ./books`,
  );
});

test("a command that uses no store is not changed, and no command is changed if no place was typed", () => {
  const text = "list them with: fillbook periods, see fillbook help options and /srv/fillbook sync-old/fillbook.json";
  expect(withPlaces(text, { store: "./books" })).toBe(text);
  expect(withPlaces("run fillbook sync", {})).toBe("run fillbook sync");
  expect(withPlaces("run fillbook sync", { account: "-a", store: "$(id)\n" })).toBe(
    "run fillbook sync --account=-a --store '$(id)\n'",
  );
  expect(withPlaces("run fillbook verify; see fillbook packs", { account: "hedge_main" })).toBe(
    "run fillbook verify; see fillbook packs --account hedge_main",
  );
});

test("in a clone, where npm starts the program, every command begins with what npm needs", () => {
  const program = programOf({ npm_lifecycle_event: "fillbook" });
  expect(program).toBe("npm run -s fillbook --");
  expect(programOf({})).toBe("fillbook");
  expect(programOf({ npm_lifecycle_event: "test" })).toBe("fillbook");
  const next = { command: "sync", does: "reads; or see: fillbook periods" };
  expect(nextLines(next, { store: "./books" }, program)).toEqual([
    "Next: npm run -s fillbook -- sync --store ./books",
    "  reads; or see: npm run -s fillbook -- periods",
  ]);
  for (const name of [...Object.keys(COMMANDS), "help"]) {
    expect(withPlaces(`run: fillbook ${name}`, {}, program)).toBe(`run: npm run -s fillbook -- ${name}`);
  }
});

test("a pack is opened by its account, and a group's pack is made with all of its accounts", () => {
  expect(afterPacks({ account: "hedge_main", pack: { period: "us-2025" } }, "main").command).toBe(
    "open us-2025 --account hedge_main",
  );
  expect(afterPacks(undefined, "hedge_main").command).toBe("export --period us-2025 --account hedge --account main");
  expect(afterPacks(undefined, "main").command).toBe("export --period us-2025");
  const group = { name: "hedge_main" };
  expect(afterExport({ out: undefined, period: "us-2025", group }).command).toBe("open us-2025 --account hedge_main");
});

import { expect, test } from "vitest";
import { fileList } from "../../../lambda/web/views/pack-files.ts";
import { FILES } from "../../pack/pack.ts";
import { packOf } from "./sample-data.ts";

test("every file of a pack has a purpose", () => {
  const files = FILES.map((path) => ({ path, bytes: 1, sha256: null }));
  const list = fileList("main", packOf({ files })).markup;
  expect(list).toContain("For the accountant");
  expect(list).not.toContain("Other files");
});

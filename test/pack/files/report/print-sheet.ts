import { createHash } from "node:crypto";
import { sheetOf } from "../books.ts";
import { CASES } from "./cases.ts";

// Prints the SHA-256 of the PDF of each of the first cases. It runs in a process of its own.

for (const one of CASES.slice(0, 4)) {
  process.stdout.write(
    `${createHash("sha256")
      .update(await sheetOf(one.books, one))
      .digest("hex")}\n`,
  );
}

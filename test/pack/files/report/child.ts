import { createHash } from "node:crypto";
import { parsePeriod } from "../../../../lambda/core/period.ts";
import { booksOf } from "../../../accounting/make.ts";
import { drawFills, pageOf } from "./make.ts";

// Prints the hash of a page, for runs on machines that differ.

const period = parsePeriod("au-2024");
const books = booksOf(drawFills({ seed: 5, fills: 800, from: period.from, to: period.to }), { period });
process.stdout.write(createHash("sha256").update(pageOf(books)).digest("hex"));

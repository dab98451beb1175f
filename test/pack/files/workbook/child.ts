import { createHash } from "node:crypto";
import { parsePeriod } from "../../../../lambda/core/period.ts";
import { booksOf } from "../../../accounting/make.ts";
import { drawFills, makeWorkbook } from "./history.ts";

/** Prints the hash of a workbook, and the zone of the machine that made it. */
const period = parsePeriod("au-2024");
const books = booksOf(drawFills(400, period.from, period.to), { period });
const hash = createHash("sha256")
  .update(await makeWorkbook(books))
  .digest("hex");
process.stdout.write(`${hash} ${Intl.DateTimeFormat().resolvedOptions().timeZone}`);

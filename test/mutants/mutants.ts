/** A known mistake: `find` occurs exactly once in the file and becomes `replace`. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const CHAIN = "lambda/walk/chain.ts";
const ASKER = "lambda/walk/page-asker.ts";
const ROWS = "lambda/walk/row-set.ts";
const WALK = "lambda/walk/walk.ts";
const NEXT = "lambda/walk/next-windows.ts";
const COUNTS = "lambda/walk/still-counts.ts";
const PROBE = "lambda/walk/probe.ts";
const PROGRESS = "lambda/walk/progress.ts";
const WINDOWS = "lambda/walk/window-runner.ts";
const UNCOMMITTED = "lambda/walk/uncommitted-changes.ts";
const RECHECK = "lambda/job/recheck.ts";
const HEAD = "lambda/archive/head.ts";
const BUILDER = "lambda/archive/commit-builder.ts";
const SESSION = "lambda/archive/session.ts";
const DATA_FILES = "lambda/archive/rewrite-data-files.ts";
const MERGE = "lambda/fills/merge.ts";
const DECODE = "lambda/service/decode.ts";
const SCAN = "lambda/service/fast/scan.ts";

export const MUTANTS: readonly Mutant[] = [
  {
    name: "reads a window whose rows shift once",
    file: "lambda/walk/unread.ts",
    find: "const READINGS = 3;",
    replace: "const READINGS = 1;",
  },
  {
    name: "stops at a short page",
    file: CHAIN,
    find: "if (isShort || (last === undefined && !mayLackTies)) {",
    replace: "if (last === undefined || page.rows.length < 10) {",
  },
  {
    name: "stops at an empty page",
    file: CHAIN,
    find: "if (isShort || (last === undefined && !mayLackTies)) {",
    replace: "if (last === undefined || page.rows.length === 0) {",
  },
  {
    name: "treats an empty last as none (truthiness)",
    file: CHAIN,
    find: "if (isShort || (last === undefined && !mayLackTies)) {",
    replace: "if (!last) {",
  },
  {
    name: "treats an empty last as none on a usual page",
    file: SCAN,
    find: "return isLast ? { rows } :",
    replace: "return isLast || end - start === QUOTES ? { rows } :",
  },
  {
    name: "loses the last row of a usual page",
    file: SCAN,
    find: "const rows = this.#packer.end(extras).map((fill) => ({ fill }));",
    replace: "const rows = this.#packer.end(extras).slice(0, -1).map((fill) => ({ fill }));",
  },
  {
    name: "treats a null last as a cursor",
    file: DECODE,
    find: "if (last === undefined || last === null) {",
    replace: "if (last === undefined) {",
  },
  {
    name: "pages by timestamp (the lowest less 1 ms)",
    file: CHAIN,
    find: "return cursor === null ? dates : { ...dates, start: cursor };",
    replace: "return cursor === null ? dates : { ...dates, endDate: (this.#state.lowest ?? askTo) - 1 };",
  },
  {
    name: "pages by timestamp (the lowest again, ties stick)",
    file: CHAIN,
    find: "return cursor === null ? dates : { ...dates, start: cursor };",
    replace: "return cursor === null ? dates : { ...dates, endDate: this.#state.lowest ?? askTo };",
  },
  {
    name: "sends the cursor without its dates",
    file: CHAIN,
    find: "return cursor === null ? dates : { ...dates, start: cursor };",
    replace: "return cursor === null ? dates : { start: cursor };",
  },
  {
    name: "requests no margin at the start",
    file: CHAIN,
    find: "startDate: askFrom - MARGIN_MS, endDate",
    replace: "startDate: askFrom, endDate",
  },
  {
    name: "requests up to the last ms, assuming an inclusive end",
    file: CHAIN,
    find: "endDate: askTo + MARGIN_MS }",
    replace: "endDate: askTo - MARGIN_MS }",
  },
  {
    name: "identifies a fill by its matchId alone",
    file: "lambda/core/fast/packed-fill.ts",
    find: "this.start(PLACE.matchId), this.end(PLACE.orderId)",
    replace: "this.start(PLACE.matchId), this.end(PLACE.matchId)",
  },
  {
    name: "does not deduplicate",
    file: MERGE,
    find: "      current[number] = fill;\n    }\n  }",
    replace: "      untouched.push(fill);\n    }\n  }",
  },
  {
    name: "skips a row that cannot be filed",
    file: CHAIN,
    find: "if (reason !== null) {",
    replace: 'if (reason === "") {',
  },
  {
    name: "does not detect cursor cycles",
    file: ROWS,
    find: "if (this.#cursors.has(name)) {",
    replace: "if (false) {",
  },
  {
    name: "reads pages without a new row without limit",
    file: ROWS,
    find: "return this.#unproductive >= MAX_UNPRODUCTIVE_PAGES",
    replace: "return this.#unproductive === Number.MAX_SAFE_INTEGER",
  },
  {
    name: "treats a refused cursor as the end",
    file: CHAIN,
    find: "this.#take(request, answer, ports.clock.now()) : this.#refused(answer);",
    replace: 'this.#take(request, answer, ports.clock.now()) : this.#ended("no-last");',
  },
  {
    name: "covers a window whose chain failed",
    file: WINDOWS,
    find: "  #fail(window: OpenWindow, problem: FillbookError): void {\n",
    replace:
      '  #fail(window: OpenWindow, problem: FillbookError): void {\n    this.#uncommitted.credit(window, { covered: window, ended: "no-last" });\n',
  },
  {
    name: "does not halve a window whose cursor is refused again",
    file: "lambda/walk/outcome.ts",
    find: "if (isFirst) {",
    replace: "if (isFirst !== null) {",
  },
  {
    name: "walks beyond the settle lag",
    file: "lambda/job/sync-archive.ts",
    find: "to: Math.min(asked.to, latest) };",
    replace: "to: asked.to };",
  },
  {
    name: "treats every finished window as whole (no clamp proof)",
    file: "lambda/walk/clamp-proof.ts",
    find: "width <= Math.max(provenMs, CLAMP_FLOOR_MS)",
    replace: "width > Math.min(provenMs, 0)",
  },
  {
    name: "trusts the dates without a proof",
    file: "lambda/walk/date-proof.ts",
    find: "if (this.#isProven || probes.length === 0) {",
    replace: "if (!this.#isProven) {",
  },
  {
    name: "follows an empty cursor in circles for a fill that does not come",
    file: "lambda/walk/date-proof.ts",
    find: 'if (answer.last === undefined || (answer.last === "" && request.start === "")) {',
    replace: "if (answer.last === undefined) {",
  },
  {
    name: "treats a refused empty cursor as no finding about the dates",
    file: "lambda/walk/date-proof.ts",
    find: 'return request.start === "" ? 0 : null;',
    replace: "return null;",
  },
  {
    name: "treats rows by cursor as proof of widths, even if cursors lose the dates",
    file: "lambda/walk/knowledge.ts",
    find: "const showsWidth = answer.pages === 1 || cursorsProven;",
    replace: "const showsWidth = answer.pages === 1 || cursorsProven !== null;",
  },
  {
    name: "treats a cursor that leads nowhere as one that keeps its dates",
    file: "lambda/walk/cursor-proof.ts",
    find: "if (rows <= pageRows || direction === null) {",
    replace: "if (direction === null) {",
  },
  {
    name: "covers the time before the first row, whatever a cap has kept",
    file: "lambda/walk/clamp-proof.ts",
    find: "if (begun.some((range) => range.from <= from && to <= range.to)) {",
    replace: "if (begun.length >= 0) {",
  },
  {
    name: "requests ranges as wide as refused ones",
    file: "lambda/walk/refusals.ts",
    find: "Math.floor(refusedMs / 2)",
    replace: "refusedMs",
  },
  {
    name: "sends no request without dates",
    file: WALK,
    find: "if (await this.#isMisled()) {",
    replace: "if (false) {",
  },
  {
    name: "believes an answer without dates although it lacks known fills",
    file: WINDOWS,
    find: "if (lacking !== 0) {",
    replace: "if (lacking === -1) {",
  },
  {
    name: "does not notice a row out of order",
    file: "lambda/walk/order.ts",
    find: "order.direction === direction ? order : { ...order, refuted: true }",
    replace: "order",
  },
  {
    name: "drops a row from outside the window",
    file: CHAIN,
    find: "this.#waiting.addFills(fills);\n    const outside = fills.find((fill) => this.#isOutOfRange(fill));",
    replace:
      "this.#waiting.addFills(fills.filter((fill) => !this.#isOutOfRange(fill)));\n    const outside = fills.find(() => false);",
  },
  {
    name: "does not consider a cap",
    file: "lambda/walk/clamp-proof.ts",
    find: 'return ended === "no-last" && (pages > 1',
    replace: 'return ended !== "no-last" && (pages > 1',
  },
  {
    name: "accepts rows in the future",
    file: "lambda/walk/problems.ts",
    find: "return txCreated > now + MOST_AHEAD_MS ?",
    replace: "return txCreated === now + MOST_AHEAD_MS ?",
  },
  {
    name: "drops rows in the future that only the page without dates shows",
    file: PROBE,
    find: "const reason = whyNotFiled(row, now);",
    replace: 'const reason = "unfilable" in row ? row.unfilable : null;',
  },
  {
    name: "believes an empty answer at once",
    file: "lambda/walk/silence.ts",
    find: "const ASKINGS = 4;",
    replace: "const ASKINGS = 1;",
  },
  {
    name: "sends no more requests for an end after a false one",
    file: "lambda/walk/silence.ts",
    find: "return falseEnds ? ASKINGS_WHERE_FALSE : ASKINGS;",
    replace: "return falseEnds ? ASKINGS : ASKINGS;",
  },
  {
    name: "keeps the silence that it believed before a false end",
    file: "lambda/walk/silent-ranges.ts",
    find: "    this.#uncommitted.doubt(this.#believed);",
    replace: "    this.#uncommitted.doubt(this.#believed.slice(0, 0));",
  },
  {
    name: "requests a page that may have lost its last only once",
    file: ASKER,
    find: "return last === undefined && (isFull || isEmpty || isTie(rows));",
    replace: "return last === undefined && isEmpty;",
  },
  {
    name: "does not cut long chains without an order",
    file: CHAIN,
    find: "order?.isRefuted === true",
    replace: "order?.isRefuted === null",
  },
  {
    name: "files the fills of another trader",
    file: "lambda/walk/recognition.ts",
    find: "if (wanted.length === 0 || (",
    replace: "if (wanted.length >= 0 || (",
  },
  {
    name: "keeps coverage that rested on a refuted order",
    file: COUNTS,
    find: '!(ended === "order" && order.refuted) && ',
    replace: "",
  },
  {
    name: "treats the newest rows without dates as the whole",
    file: WINDOWS,
    find: "return known > 0\n      ? known\n",
    replace: "return known > -1\n      ? known\n",
  },
  {
    name: "confuses the two ends that a clamp may keep",
    file: "lambda/walk/clamp-proof.ts",
    find: "{ keepingEnd: Math.max(0, asked.to - lowest), keepingBeginning: Math.max(0, highest - asked.from) }",
    replace: "{ keepingEnd: Math.max(0, highest - asked.from), keepingBeginning: Math.max(0, asked.to - lowest) }",
  },
  {
    name: "loses the rows of a commit that failed",
    file: UNCOMMITTED,
    find: "incomingFills: [...taken.incomingFills, ...incomingFills],",
    replace: "incomingFills,",
  },
  {
    name: "covers the time between, although it did not file its rows",
    file: UNCOMMITTED,
    find: "intersection(covered, this.#wanted).map(",
    replace: "[covered].map(",
  },
  {
    name: "does not walk its look-back",
    file: NEXT,
    find: "const rechecks = this.#request.recheck === null ? [] : this.#uncommitted.checkpoint.rechecks;",
    replace: "const rechecks: TimeRange[] = [];",
  },
  {
    name: "forgets the rest of a look-back",
    file: UNCOMMITTED,
    find: "checkpoint: { ...this.#checkpoint, open },",
    replace: "checkpoint: { ...this.#checkpoint, open, rechecks: [] },",
  },
  {
    name: "rechecks the same old piece every night",
    file: RECHECK,
    find: "rotatedTo: rotates ? (piece?.from ?? null) : rotatedTo,",
    replace: "rotatedTo,",
  },
  {
    name: "forgets the oldest of many ranged runs",
    file: RECHECK,
    find: "unsettled: joined(unsettled, MOST_UNSETTLED) };",
    replace: "unsettled: unsettled.toSorted((a, b) => b.askedAt - a.askedAt).slice(0, MOST_UNSETTLED) };",
  },
  {
    name: "forgets one of two neighbours among many ranged runs",
    file: RECHECK,
    find: "list.splice(at, 2, spanOf(list.slice(at, at + 2)));",
    replace: "list.splice(at, 2, ...list.slice(at, at + 1));",
  },
  {
    name: "dates joined ranges to the latest of their requests",
    file: RECHECK,
    find: "askedAt: Math.min(...some.map(({ askedAt }) => askedAt)),",
    replace: "askedAt: Math.max(...some.map(({ askedAt }) => askedAt)),",
  },
  {
    name: "notes ranged runs without limit",
    file: RECHECK,
    find: "while (list.length > most) {",
    replace: "while (list.length > Number.MAX_SAFE_INTEGER) {",
  },
  {
    name: "reads only one page by dates of the rows that an answer without dates may lack",
    file: PROBE,
    find: "if (wanted > 0 || answer.last === undefined) {",
    replace: "if (wanted >= 0) {",
  },
  {
    name: "reads only twenty pages by dates of the rows that an answer without dates may lack",
    file: PROBE,
    find: "unproductive = met.addNew(fills).length > 0 ? 0 : unproductive + 1;",
    replace: "unproductive += 1;",
  },
  {
    name: "follows pages by dates in circles",
    file: PROBE,
    find: "unproductive = met.addNew(fills).length > 0 ? 0 : unproductive + 1;",
    replace: "unproductive = 0;",
  },
  {
    name: "treats a refused cursor as the end of the rows that an answer without dates may lack",
    file: PROBE,
    find: 'return request.start === "" ? 0 : answer.kind;',
    replace: 'return answer.kind === "range-refused" ? answer.kind : 0;',
  },
  {
    name: "does not probe before the rows of an answer without dates",
    file: PROBE,
    find: "of [...below, ...above]) {",
    replace: "of above) {",
  },
  {
    name: "does not probe after the rows of an answer without dates",
    file: PROBE,
    find: "of [...below, ...above]) {",
    replace: "of below) {",
  },
  {
    name: "gives up at the first refused range when it probes an answer without dates",
    file: PROBE,
    find: 'for (; lacking === "range-refused" && widthMs > DAY_MS; lacking',
    replace: 'for (; lacking === "range-refused" && widthMs < 0; lacking',
  },
  {
    name: "notices a lack of progress only against the previous round",
    file: WALK,
    find: "      stood.add(mark);",
    replace: "      stood.clear();\n      stood.add(mark);",
  },
  {
    name: "counts every break of silence as progress, without limit",
    file: PROGRESS,
    find: "Math.min(silent.heard.breaks, MOST_BREAKS)",
    replace: "silent.heard.breaks",
  },
  {
    name: "counts no break of silence as progress",
    file: PROGRESS,
    find: "Math.min(silent.heard.breaks, MOST_BREAKS)",
    replace: "Math.min(silent.heard.breaks, 0)",
  },
  {
    name: "covers the part of a window that it gave away",
    file: CHAIN,
    find: '{ ...this.#state, from: time, cut: "from" }',
    replace: '{ ...this.#state, cut: "from" as const }',
  },
  {
    name: "ends a round with windows outstanding",
    file: "lambda/walk/worker-pool.ts",
    find: "if (this.#walking === 0) {\n      this.#over",
    replace: "if (this.#queue.length === 0) {\n      this.#over",
  },
  {
    name: "swaps the head before the manifest is written",
    file: SESSION,
    find: "    await createContent(this.#job, manifestKey(this.#job.account, seq, sha256), body);\n    await this.#swap({ ...change, manifest: { seq, sha256 }, current: next });",
    replace:
      "    await this.#swap({ ...change, manifest: { seq, sha256 }, current: next });\n    await createContent(this.#job, manifestKey(this.#job.account, seq, sha256), body);",
  },
  {
    name: "commits without the raw responses",
    file: BUILDER,
    find: "      await createContent(ports, key, body);",
    replace: "      await Promise.resolve([ports, key, body]);",
  },
  {
    name: "claims a window when it begins",
    file: UNCOMMITTED,
    find: "      .map((one) => one.finished);",
    replace: '.map((one) => one.finished).concat(open.map((one) => ({ ...one, ended: "no-last" as const })));',
  },
  {
    name: "keeps coverage by dates that proved wrong",
    file: COUNTS,
    find: "!stillCounts({ ...window, dated }, now)",
    replace: "!stillCounts({ ...window, dated: now.datesTrusted }, now)",
  },
  {
    name: "advances the cursor without its rows",
    file: UNCOMMITTED,
    find: "const incomingFills = taken.incomingFills.filter(({ txCreated }) => holds(wanted, txCreated));",
    replace:
      "const incomingFills = taken.incomingFills.filter(({ txCreated }) => holds(taken.credited.map(({ finished: one }) => one), txCreated));",
  },
  {
    name: "forgets on resuming which rows an earlier run saw",
    file: "lambda/walk/resume.ts",
    find: "for (const key of window.rawResponses) {",
    replace: "for (const key of [] as string[]) {",
  },
  {
    name: "begins open windows again instead of resuming them",
    file: NEXT,
    find: "ageOf(window, this.#job.clock.now());",
    replace: "ageOf(window, Number.MAX_SAFE_INTEGER);",
  },
  {
    name: "treats a lost swap as landed",
    file: HEAD,
    find: 'return stored.tag === tag ? "not-yet" : { kind: "lost" };',
    replace: 'return stored.tag === tag ? "not-yet" : { kind: "landed", held: stored };',
  },
  {
    name: "ignores another run's lease",
    file: "lambda/archive/lease.ts",
    find: "lease === null || lease.holder === holder",
    replace: 'lease === null || lease.holder !== ""',
  },
  {
    name: "does not recognise its own commit when it reads back",
    file: HEAD,
    find: "if (stored.head.commitId === next.commitId) {",
    replace: 'if (stored.head.commitId === "") {',
  },
  {
    name: "treats a lost answer of a swap as a failure",
    file: HEAD,
    find: "const outcome = classifySwap(await readHead(store, account), next, tag);",
    replace: 'const outcome = { kind: "lost" } as SwapOutcome | "not-yet";',
  },
  {
    name: "treats a lost answer of a new object as a success",
    file: "lambda/archive/objects.ts",
    find: "      if (attempt === MAX_TRIES) {",
    replace: '      if (attempt > 0) {\n        return "created";\n      }\n      if (attempt === MAX_TRIES) {',
  },
  {
    name: "lets the older version win",
    file: MERGE,
    find: "const shown = [withoutNote(incoming), ...otherVersions(incoming)].map((version) => completed(version, base));",
    replace:
      "const shown = [withoutNote(incoming), ...otherVersions(incoming)].map((version) => completed(base, version));",
  },
  {
    name: "keeps no restatement",
    file: MERGE,
    find: "      restated.push({ kind, before: plainFill(before), after });",
    replace: "",
  },
  {
    name: "keeps no late fill as a restatement",
    file: BUILDER,
    find: "const late = unheld.filter((fill) => !moves.notAdded.has(fill));",
    replace: "const late: Fill[] = [];",
  },
  {
    name: "writes a data file for every commit",
    file: DATA_FILES,
    find: "const existing = await manifestIndex.dataFiles(partition);",
    replace: "const existing = (await manifestIndex.dataFiles(partition)).slice(0, 0);",
  },
  {
    name: "writes a data file without its earlier rows",
    file: DATA_FILES,
    find: "    before.push(...(await fillsOfDataFile(ports, dataFile)));",
    replace: "    await fillsOfDataFile(ports, dataFile);",
  },
];

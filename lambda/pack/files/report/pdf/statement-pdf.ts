import { type Block, stack } from "../../../../formats/pdf/blocks.ts";
import type { Paper } from "../../../../formats/pdf/paper.ts";
import { type StatementSheet, statementSheet } from "../sections/statement-sheet.ts";
import { documentTitle } from "../titles.ts";
import type { View } from "../view.ts";
import { type Extent, footPart, headParts } from "./sheet-parts.ts";
import { typesetter } from "./typesetter.ts";

const MARGIN = 42;
/** Between the content of the page and its foot. */
const GAP = 12;

/**
 * The statement as a PDF of one A4 page. Its date is the end of the period, so equal fills and settings give
 * equal bytes.
 */
export async function statementPdf(view: View): Promise<Uint8Array> {
  const { context } = view;
  const sheet = statementSheet(view);
  // Only this page needs the library, so it is loaded only here.
  const { paperOf } = await import("../../../../formats/pdf/paper.ts");
  return await paperOf({ title: documentTitle(context), author: "fillbook", time: context.period.to }, (paper) => {
    const width = paper.width - 2 * MARGIN;
    const foot = footPart(typesetter(paper, 1), { view, sheet, width });
    const footTop = paper.height - MARGIN - foot.height;
    fitting({ paper, view, sheet, width, room: footTop - GAP - MARGIN }).draw(paper, MARGIN, MARGIN);
    foot.draw(paper, MARGIN, footTop);
  });
}

interface Room {
  readonly paper: Paper;
  readonly view: View;
  readonly sheet: StatementSheet;
  readonly width: number;
  /** Its height. */
  readonly room: number;
}

/** Shows as much as fits. What is left out is counted, with the file that has it. */
function fitting({ paper, view, sheet, width, room }: Room): Block {
  let block: Block = stack([]);
  for (const extent of extents(sheet)) {
    const set = typesetter(paper, extent.scale);
    block = stack(headParts(set, { view, sheet, width }, extent), set.points(9));
    if (block.height <= room) {
      break;
    }
  }
  return block;
}

const [SMALLER, SMALLEST] = [0.9, 0.5];
/** On a sheet with many currencies, these tables come before the points to note. */
const FEW_TABLES = 2;

/** From everything on the sheet down to what always fits. */
function* extents({ tables, points }: StatementSheet): Generator<Extent> {
  const all = { tables: tables.length, points: points.length };
  yield { ...all, scale: 1 };
  yield { ...all, scale: SMALLER };
  for (let shown = all.tables - 1; shown >= FEW_TABLES; shown--) {
    yield { ...all, tables: shown, scale: SMALLER };
  }
  const few = Math.min(all.tables, FEW_TABLES);
  for (let shown = all.points - 1; shown >= 0; shown--) {
    yield { tables: few, points: shown, scale: SMALLER };
  }
  yield { tables: Math.min(few, 1), points: 0, scale: SMALLEST };
}

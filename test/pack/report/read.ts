import { pythonReader } from "../python-reader.ts";

/** A number on the page. */
interface ReadData {
  /** Exact. */
  readonly value: string;
  readonly title: string | null;
  readonly text: string;
  readonly class: string;
}

interface ReadRow {
  readonly part: "thead" | "tbody" | "tfoot";
  readonly key: string | null;
  readonly cells: readonly {
    readonly name: "th" | "td";
    readonly scope: string | null;
    readonly text: string;
    readonly data: readonly ReadData[];
  }[];
}

export interface ReadPage {
  readonly title: string;
  /** Of the body, with white space collapsed. */
  readonly text: string;
  /** By name; elements of a drawing as `svg:rect`. */
  readonly elements: Readonly<Record<string, number>>;
  /** Element, name and value, without numbers and row keys. */
  readonly attributes: readonly (readonly [element: string, name: string, value: string])[];
  readonly ids: readonly string[];
  readonly tables: readonly {
    readonly id: string;
    /** The currency of its section. */
    readonly currency: string | null;
    readonly captions: readonly string[];
    readonly rows: readonly ReadRow[];
  }[];
  /** Places where a direction mark is not inside an isolating element. */
  readonly turned: readonly (readonly [element: string, where: string])[];
  /** Commands to type. */
  readonly commands: readonly string[];
}

const reader = await pythonReader(import.meta.dirname, "read_page.py", ".html");

/** Why pages cannot be read; empty if they can. */
export const NO_READER = reader.missing;

/** Reads pages with html5lib. Throws at the first thing that HTML does not allow. */
export async function readPages(pages: readonly string[]): Promise<ReadPage[]> {
  return (await reader.read(pages)) as ReadPage[];
}

/**
 * Rows of a table by their key, without the row's head: for each cell its exact number, otherwise its text.
 */
export function rowsOf({ tables }: ReadPage, id: string): Map<string, string[]> {
  const table = tables.find((one) => one.id === id);
  if (table === undefined) {
    throw new Error(`no table ${id} among ${tables.map((one) => one.id).join(", ")}`);
  }
  return new Map(
    table.rows
      .filter(({ part }) => part !== "thead")
      .map(({ key, cells }) => [key ?? "", cells.slice(1).map(({ data, text }) => data[0]?.value ?? text)]),
  );
}

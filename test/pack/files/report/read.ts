import { pythonReader } from "../python-reader.ts";

/** A number that the page shows. */
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
  readonly lang: string | null;
  readonly title: string;
  /** Of the body, white space as one space. */
  readonly text: string;
  /** By name; those of a drawing as `svg:rect`. */
  readonly elements: Readonly<Record<string, number>>;
  /** Element, name and value, without numbers and row keys. */
  readonly attributes: readonly (readonly [element: string, name: string, value: string])[];
  readonly ids: readonly string[];
  readonly tables: readonly {
    readonly id: string;
    /** Of the part of the page that it stands in. */
    readonly currency: string | null;
    readonly captions: readonly string[];
    readonly rows: readonly ReadRow[];
  }[];
  readonly drawings: readonly {
    readonly role: string | null;
    readonly labelledby: readonly string[];
    readonly texts: Readonly<Record<string, readonly [name: string, text: string]>>;
  }[];
  /** Where a mark that turns the direction of text is not within an element that isolates it. */
  readonly turned: readonly (readonly [element: string, where: string])[];
  /** What is to be typed. */
  readonly commands: readonly string[];
}

const reader = await pythonReader(import.meta.dirname, "read_page.py", ".html");

/** Why pages cannot be read; empty where they can. */
export const NO_READER = reader.missing;

/** Reads pages with html5lib; throws at the first thing that HTML does not allow. */
export async function readPages(pages: readonly string[]): Promise<ReadPage[]> {
  return (await reader.read(pages)) as ReadPage[];
}

/**
 * Rows of a table by their key, without the head of the row: of each cell its exact number, or else its text.
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

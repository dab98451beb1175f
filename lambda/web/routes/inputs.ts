import { sizeText } from "../../core/text.ts";
import { checkTogether, faultOf, understandInput } from "../data/check-inputs.ts";
import {
  inputFileOf,
  inputKey,
  listInputs,
  putInput,
  type ReadInput,
  readStoredInput,
  readStoredInputs,
} from "../data/input-files.ts";
import { readInputsView, usualZone } from "../data/inputs-view.ts";
import { FieldError, forPeople, inField } from "../field-error.ts";
import { inputNameOf } from "../input-kinds.ts";
import { attachment, fileNameOf } from "../pack-bytes.ts";
import type { AccountStores } from "../packs.ts";
import type { PageContext } from "../page-context.ts";
import type { PageParts } from "../views/frame.ts";
import { type InputsRefused, inputsPage } from "../views/inputs.ts";
import { inputsLink } from "../views/links.ts";
import { notThere, page, refuse, seeOther } from "./answers.ts";

/** The user's files, what was understood of each, and the form that puts one up. */
export async function showInputs(c: PageContext): Promise<Response> {
  return page(c, await madePage(c, null));
}

async function madePage(c: PageContext, refused: InputsRefused | null): Promise<PageParts> {
  const { ports, account, stores } = c.var;
  const { mostFileBytes, mostTotalBytes } = ports.inputLimits;
  const usual = usualZone(stores);
  const [zone, view] = await Promise.all([usual, readInputsView(stores, usual, mostTotalBytes)]);
  const [done = null] = (["put", "removed"] as const).flatMap((what) => {
    const name = c.req.query(what);
    return name === undefined ? [] : [{ what, name }];
  });
  return inputsPage({ ...view, account, zone, mostFileBytes, refused, done });
}

/**
 * Checks the file that a form holds as an export would, and keeps it; or shows the form again, and what is
 * wrong.
 */
export async function takeInput(c: PageContext): Promise<Response> {
  const { account, stores, fields } = c.var;
  try {
    const zone = await usualZone(stores);
    const sent = sentFile(c);
    const file = inputFileOf(inputNameOf(fields.get("kind") ?? "", sent.name), await sent.bytes());
    inField("file", () => understandInput(file, zone));
    const others = await allInputs(c, file.bytes.length);
    const current = others.find(({ name }) => name === file.name) ?? null;
    if (current?.file.sha256 === file.sha256) {
      return seeOther(c, inputsLink(account, { what: "put", name: file.name })); // sent twice
    }
    if (!isSeen(fields, file.name, current)) {
      return await conflicting(c, file.name);
    }
    inField("file", () => checkAdded(others, file, zone));
    return (await putInput(stores, file, current))
      ? seeOther(c, inputsLink(account, { what: "put", name: file.name }))
      : await conflicting(c, file.name);
  } catch (error) {
    if (!(error instanceof FieldError)) {
      throw error;
    }
    const refused = { field: error.field, problem: forPeople(error), fields, conflict: null };
    return refuse(c, `a file that cannot be used: ${error.field}`, await madePage(c, refused), 400);
  }
}

/**
 * Removes a file that the user saw. The store cannot compare as it removes: what somebody puts there in the
 * same moment goes too.
 */
export async function dropInput(c: PageContext): Promise<Response> {
  const { account, stores, fields } = c.var;
  const current = await findInput(stores, fields.get("name"));
  if (current === null) {
    return seeOther(c, inputsLink(account));
  }
  if (current.file.sha256 !== fields.get("seen")) {
    return await conflicting(c, current.name);
  }
  await stores.store.remove(inputKey(account, current.name));
  return seeOther(c, inputsLink(account, { what: "removed", name: current.name }));
}

/** One file, as it is kept. */
export async function sendInput(c: PageContext): Promise<Response> {
  const { ports, account, stores } = c.var;
  const asked = c.req.query("name");
  const found = (await listInputs(stores)).find(({ name }) => name === asked);
  if (found !== undefined && ports.links !== null) {
    return c.redirect(await ports.links.toInput(account, found.name), 303);
  }
  const body = found === undefined ? null : await stores.store.openStream(inputKey(account, found.name));
  return found === undefined || body === null
    ? notThere(c, "no such file of theirs")
    : c.body(ReadableStream.from(body), 200, {
        "content-type": "application/octet-stream",
        "content-disposition": attachment(fileNameOf(found.name)),
      });
}

function sentFile(c: PageContext): File {
  const { file, ports } = c.var;
  const { mostFileBytes } = ports.inputLimits;
  if (file === null || (file.name === "" && file.size === 0)) {
    throw new FieldError("file", { message: "no file was chosen", hint: "choose a file" });
  }
  if (file.size > mostFileBytes) {
    const hint = "upload only what your periods need";
    throw new FieldError("file", { message: `the file is larger than ${sizeText(mostFileBytes)}`, hint });
  }
  return file;
}

/** All that are there, to be read together with one that is so large. */
async function allInputs(c: PageContext, added: number): Promise<readonly ReadInput[]> {
  const { ports, stores } = c.var;
  const listed = await listInputs(stores);
  if (listed.reduce((sum, { bytes }) => sum + bytes, added) > ports.inputLimits.mostTotalBytes) {
    const most = sizeText(ports.inputLimits.mostTotalBytes);
    const hint = "remove a file that no period needs any more, or copy this one into the store yourself";
    throw new FieldError("file", { message: `all files together are larger than ${most}`, hint });
  }
  return await readStoredInputs(stores, listed);
}

/** Throws `usage` where the file makes a fault that was not there without it. */
function checkAdded(before: readonly ReadInput[], file: ReadInput["file"], zone: string): void {
  const files = before.map((one) => one.file);
  const after = [...files.filter(({ name }) => name !== file.name), file].sort((a, b) => (a.name < b.name ? -1 : 1));
  const fault = faultOf(() => checkTogether(after, zone));
  if (fault !== null && fault.message !== faultOf(() => checkTogether(files, zone))?.message) {
    throw fault;
  }
}

/**
 * Whether the form was made when the current file, or none, was there. It names what was there with its hash:
 * `funding.csv:0123… rates/ecb.csv:4567…`.
 */
function isSeen(fields: URLSearchParams, name: string, current: ReadInput | null): boolean {
  const seen = (fields.get("seen") ?? "").split(" ");
  return current === null
    ? !seen.some((one) => one.startsWith(`${name}:`))
    : seen.includes(`${name}:${current.file.sha256}`);
}

/** The form again, made anew of what is there now. Nothing was put or removed. */
async function conflicting(c: PageContext, name: string): Promise<Response> {
  const { stores, fields } = c.var;
  const conflict = { name, isThere: (await findInput(stores, name)) !== null };
  const refused = { field: null, problem: null, fields, conflict };
  return refuse(c, "a file that was changed meanwhile", await madePage(c, refused), 409);
}

/** Null: there is none of this name. */
async function findInput(stores: AccountStores, name: string | null): Promise<ReadInput | null> {
  const listed = (await listInputs(stores)).find((one) => one.name === name);
  return listed === undefined ? null : await readStoredInput(stores, listed);
}

import { FillbookError } from "../../core/errors.ts";
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
import { FieldError, inField, refusalOf } from "../field-error.ts";
import { inputNameOf } from "../input-kinds.ts";
import { fileNameOf } from "../pack-bytes.ts";
import type { AccountStores } from "../packs.ts";
import type { PageContext } from "../page-context.ts";
import type { SentBack } from "../views/forms.ts";
import type { PageParts } from "../views/frame.ts";
import { inputsPage } from "../views/inputs.ts";
import { inputsLink } from "../views/links.ts";
import { notThere, page, refuse, seeOther } from "./answers.ts";
import { sendStored } from "./downloads.ts";

/** The user's files, what was understood of each, and the form that puts one up. */
export async function showInputs(c: PageContext): Promise<Response> {
  return page(c, await madePage(c, null));
}

async function madePage(c: PageContext, refused: SentBack | null): Promise<PageParts> {
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
  return await orAgain(c, async () => {
    const zone = await usualZone(stores);
    const sent = sentFile(c);
    const file = inputFileOf(inputNameOf(fields.get("kind") ?? "", sent.name), await sent.bytes());
    inField("file", () => understandInput(file, zone));
    const others = await allInputs(c, file.bytes.length);
    const current = others.find(({ name }) => name === file.name) ?? null;
    if (current?.file.sha256 !== file.sha256) {
      // otherwise sent twice
      const seen = (fields.get("seen") ?? "").split(" ").find((one) => one.startsWith(`${file.name}:`));
      checkSeen(file.name, seen?.slice(file.name.length + 1), current);
      inField("file", () => checkAdded(others, file, zone));
      if (!(await putInput(stores, file, current))) {
        throw changedMeanwhile(file.name);
      }
    }
    return seeOther(c, inputsLink(account, { what: "put", name: file.name }));
  });
}

/**
 * Removes a file that the user saw. The store cannot compare as it removes: what somebody puts there in the
 * same moment goes too.
 */
export async function dropInput(c: PageContext): Promise<Response> {
  const { account, stores, fields } = c.var;
  return await orAgain(c, async () => {
    const current = await findInput(stores, fields.get("name"));
    if (current === null) {
      return seeOther(c, inputsLink(account));
    }
    checkSeen(current.name, fields.get("seen"), current);
    await stores.store.remove(inputKey(account, current.name));
    return seeOther(c, inputsLink(account, { what: "removed", name: current.name }));
  });
}

/** The form again, made anew of what is there now, if the user cannot do this. */
async function orAgain(c: PageContext, act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    const { field, problem } = refusalOf(error);
    const refused = { field, problem, fields: c.var.fields };
    return refuse(c, `a file that cannot be used: ${field ?? "changed meanwhile"}`, await madePage(c, refused), 400);
  }
}

/** Throws `usage` if the current file, or none, is not what was there when the form was made. */
function checkSeen(name: string, seen: string | null | undefined, current: ReadInput | null): void {
  if ((seen ?? null) !== (current?.file.sha256 ?? null)) {
    throw changedMeanwhile(name);
  }
}

function changedMeanwhile(name: string): FillbookError {
  const hint = "check the current files; to replace or remove it all the same, do so again";
  return new FillbookError("usage", `${name} was changed after you opened this page. Nothing was done`, { hint });
}

/** One file, as it is kept. */
export async function sendInput(c: PageContext): Promise<Response> {
  const { account, stores } = c.var;
  const found = await findInput(stores, c.req.query("name") ?? null);
  if (found === null) {
    return notThere(c, "no such file of theirs");
  }
  const { name, bytes } = found.file;
  const at = { store: "archive", key: inputKey(account, name) } as const;
  return await sendStored(c, at, { name: fileNameOf(name), bytes: bytes.length, open: () => [bytes] });
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

/** Null: there is none of this name. */
async function findInput(stores: AccountStores, name: string | null): Promise<ReadInput | null> {
  const listed = (await listInputs(stores)).find((one) => one.name === name);
  return listed === undefined ? null : await readStoredInput(stores, listed);
}

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
import type { SentFile } from "../multipart.ts";
import { attachment, fileNameOf } from "../pack-bytes.ts";
import type { PageAnswer } from "../request.ts";
import { type InputsRefused, inputsPage } from "../views/inputs.ts";
import { inputsLink } from "../views/links.ts";
import { notThere, page, seeOther } from "./answers.ts";
import type { AccountRoute, RouteContext } from "./route-context.ts";

/** The user's files, what was understood of each, and the form that puts one up. */
export async function showInputs(context: RouteContext, place: AccountRoute): Promise<PageAnswer> {
  return page(await madePage(context, place, null));
}

async function madePage(
  { ports, visitor, request }: RouteContext,
  { account, stores }: AccountRoute,
  refused: InputsRefused | null,
): Promise<string> {
  const usual = usualZone(stores);
  const [zone, view] = await Promise.all([usual, readInputsView(stores, usual, ports.inputLimits.mostTotalBytes)]);
  const done = (["put", "removed"] as const).flatMap((what) => {
    const name = request.query.get(what);
    return name === null ? [] : [{ what, name }];
  });
  const { mostFileBytes } = ports.inputLimits;
  return inputsPage(visitor, { ...view, account, zone, mostFileBytes, refused, done: done[0] ?? null });
}

/**
 * Checks the file that a form holds as an export would, and keeps it; or shows the form again, and what is
 * wrong.
 */
export async function takeInput(context: RouteContext, place: AccountRoute): Promise<PageAnswer> {
  const { form, ports } = context;
  const { account, stores } = place;
  const { fields } = form;
  try {
    const zone = await usualZone(stores);
    const sent = fileOf(form.file, ports.inputLimits.mostFileBytes);
    const file = inputFileOf(inputNameOf(fields.get("kind") ?? "", sent.name), sent.bytes);
    inField("file", () => understandInput(file, zone));
    const others = await allInputs(context, place, file.bytes.length);
    const current = others.find(({ name }) => name === file.name) ?? null;
    if (current?.file.sha256 === file.sha256) {
      return seeOther(inputsLink(account, { what: "put", name: file.name })); // sent twice
    }
    if (stampOf(current) !== (seenOf(fields).get(file.name) ?? "")) {
      return await conflicting(context, place, file.name);
    }
    inField("file", () => checkAdded(others, file, zone));
    return (await putInput(stores, file, current))
      ? seeOther(inputsLink(account, { what: "put", name: file.name }))
      : await conflicting(context, place, file.name);
  } catch (error) {
    if (!(error instanceof FieldError)) {
      throw error;
    }
    const refused = { field: error.field, problem: forPeople(error), fields, conflict: null };
    return {
      ...page(await madePage(context, place, refused), 400),
      refused: `a file that cannot be used: ${error.field}`,
    };
  }
}

/**
 * Removes a file that the user saw. The store cannot compare as it removes: what somebody puts there in the
 * same moment goes too.
 */
export async function dropInput(context: RouteContext, place: AccountRoute): Promise<PageAnswer> {
  const { form } = context;
  const { account, stores } = place;
  const current = await findInput(stores, form.fields.get("name"));
  if (current === null) {
    return seeOther(inputsLink(account));
  }
  if (stampOf(current) !== form.fields.get("seen")) {
    return await conflicting(context, place, current.name);
  }
  await stores.store.remove(inputKey(account, current.name));
  return seeOther(inputsLink(account, { what: "removed", name: current.name }));
}

/** One file, as it is kept. */
export async function sendInput({ request, ports, visitor }: RouteContext, { account, stores }: AccountRoute) {
  const asked = request.query.get("name");
  const found = (await listInputs(stores)).find(({ name }) => name === asked);
  if (found === undefined) {
    return notThere("no such file of theirs", visitor);
  }
  if (ports.links !== null) {
    return seeOther(await ports.links.toInput(account, found.name));
  }
  const body = await stores.store.openStream(inputKey(account, found.name));
  return body === null
    ? notThere("no such file of theirs", visitor)
    : {
        status: 200,
        headers: {
          "content-type": "application/octet-stream",
          "content-disposition": attachment(fileNameOf(found.name)),
        },
        body,
      };
}

function fileOf(file: SentFile | null, mostBytes: number): SentFile {
  if (file === null || (file.name === "" && file.bytes.length === 0)) {
    throw new FieldError("file", { message: "no file was chosen", hint: "choose a file" });
  }
  if (file.bytes.length > mostBytes) {
    const hint = "upload only what your periods need";
    throw new FieldError("file", { message: `the file is larger than ${sizeText(mostBytes)}`, hint });
  }
  return file;
}

/** All that are there, to be read together with one that is so large. */
async function allInputs(
  { ports: { inputLimits } }: RouteContext,
  { stores }: AccountRoute,
  added: number,
): Promise<readonly ReadInput[]> {
  const listed = await listInputs(stores);
  if (listed.reduce((sum, { bytes }) => sum + bytes, added) > inputLimits.mostTotalBytes) {
    const most = sizeText(inputLimits.mostTotalBytes);
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

/** Of the content that a user saw; of no file, empty. */
function stampOf(input: ReadInput | null): string {
  return input?.file.sha256 ?? "";
}

/**
 * By name, the stamp of each file that was there when the form was made: `funding.csv:0123…
 * rates/ecb.csv:4567…`.
 */
function seenOf(fields: URLSearchParams): ReadonlyMap<string, string> {
  const pairs = (fields.get("seen") ?? "").split(" ").map((pair) => pair.split(":"));
  return new Map(pairs.map(([name = "", stamp = ""]) => [name, stamp]));
}

/** The form again, made anew of what is there now. Nothing was put or removed. */
async function conflicting(context: RouteContext, place: AccountRoute, name: string): Promise<PageAnswer> {
  const conflict = { name, isThere: (await findInput(place.stores, name)) !== null };
  const refused = { field: null, problem: null, fields: context.form.fields, conflict };
  return { ...page(await madePage(context, place, refused), 409), refused: "a file that was changed meanwhile" };
}

/** Null: there is none of this name. */
async function findInput(stores: AccountRoute["stores"], name: string | null): Promise<ReadInput | null> {
  const listed = (await listInputs(stores)).find((one) => one.name === name);
  return listed === undefined ? null : await readStoredInput(stores, listed);
}

import { counted } from "../../core/text.ts";
import type { Action } from "./event.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The mail to the person who asked for a run, sent when it is complete. It holds no token and no sign-in
 * link. Null: no mail, because the person waits for a ZIP on the page.
 */
export function noticeOf(action: Action, account: string, json: Fields): string | null {
  switch (action) {
    case "export":
      return `The pack ${json["period"]} of account ${account} is ready: ${fillsOf(json["files"])}, in ${json["dir"]}`;
    case "sync":
      return `Account ${account} is synced: ${number(json["fills"])} in the archive, ${counted(Number(json["added"]), "new one")}`;
    case "verify":
      return `Account ${account} is verified: ${counted(Number(json["checked"]), "object")} checked, all intact`;
    case "answer":
      return typeof json["notice"] === "string" ? json["notice"] : null;
    case "zip":
      return null;
  }
}

function number(fills: unknown): string {
  return counted(Number(fills), "fill");
}

/** The period's fills: the rows of fills.csv. */
function fillsOf(files: unknown): string {
  const found = Array.isArray(files) ? files.find((file: Fields) => file["path"] === "fills.csv") : undefined;
  return number(found?.["rows"]);
}

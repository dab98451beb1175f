import { hash } from "node:crypto";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

/**
 * Files that every page loads. Everybody may have them. Their names contain their hash, so the content under
 * a name never changes.
 */
export const STYLE_ASSET = assetOf("style", "css", "text/css; charset=utf-8", STYLE);
export const SCRIPT_ASSET = assetOf("page", "js", "text/javascript; charset=utf-8", SCRIPT);

function assetOf(name: string, ending: string, type: string, text: string) {
  return { path: `/static/${name}.${hash("sha256", text).slice(0, 16)}.${ending}`, type, text };
}

import { globSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, sep } from "node:path";
import { type AnyNode, type Literal, parse, type TemplateLiteral } from "acorn";
import { ancestor } from "acorn-walk";

// Keeps test/words/messages.txt: every sentence that the program can print, grouped by source file, so that
// one can read all of them in one place. `npm run messages` writes the file again.

const ROOT = join(import.meta.dirname, "..", "..");
export const GALLERY = join(import.meta.dirname, "messages.txt");

/**
 * At least two words, one of them of three letters: a sentence, a label or a heading, but no key or column
 * name.
 */
const SENTENCE = /[A-Za-z]{3,}[^A-Za-z]* [^A-Za-z]*[A-Za-z{]|[A-Za-z{][^A-Za-z]* [^A-Za-z]*[A-Za-z]{3,}/;

/** Strings that hold code: style sheets, browser scripts, SQL, schemas. */
const CODE =
  /[{;]\s*\n|^\s*(?:SELECT|WITH) |=>|\bfunction\(|^[\w-]+: [\w-]+;|[\w\])] \{ [\w-]+: |^[a-z-]+ [a-z-]+=|^(?:M|<svg|<path)/;

/** All sentences of one source text, in source order. `{name}` stands for each value that is put in. */
export function messagesOf(source: string): readonly string[] {
  const found: { readonly at: number; readonly text: string }[] = [];
  const add = (node: Literal | TemplateLiteral, text: string) => {
    if (SENTENCE.test(text) && !CODE.test(text)) {
      found.push({ at: node.start, text });
    }
  };
  const tree = parse(stripTypeScriptTypes(source), { ecmaVersion: "latest", sourceType: "module" });
  ancestor(tree, {
    Literal: (node, _, ancestors) => {
      if (typeof node.value === "string" && !isModuleName(ancestors)) {
        add(node, node.value);
      }
    },
    TemplateLiteral: (node) => {
      const texts = node.quasis.map(({ value }) => value.cooked ?? value.raw);
      const values = node.expressions.map((value) => `{${nameOf(value)}}`);
      add(node, texts.map((text, index) => text + (values[index] ?? "")).join(""));
    },
  });
  return found.toSorted((a, b) => a.at - b.at).map(({ text }) => text);
}

function isModuleName(ancestors: readonly AnyNode[]): boolean {
  return /^(?:Import|Export)/.test(ancestors.at(-2)?.type ?? "");
}

/** The last name in an expression is enough to show what value goes there. */
function nameOf(node: AnyNode): string {
  switch (node.type) {
    case "Identifier":
    case "PrivateIdentifier":
      return node.name;
    case "MemberExpression":
      return nameOf(node.property);
    case "CallExpression":
      return node.arguments[0] === undefined ? nameOf(node.callee) : nameOf(node.arguments[0]);
    default:
      return "…";
  }
}

/**
 * The complete expected text of messages.txt: a heading for each file that has messages, a line for each
 * sentence.
 */
export function gallery(): string {
  const paths = globSync("{lambda,infra}/**/*.ts", { cwd: ROOT }).map((path) => path.split(sep).join("/"));
  return paths
    .sort()
    .map((path) => ({ path, messages: messagesOf(readFileSync(join(ROOT, path), "utf8")) }))
    .filter(({ messages }) => messages.length > 0)
    .map(({ path, messages }) => [path, ...messages.flatMap(linesOf), ""].join("\n"))
    .join("\n");
}

/** The first line of a message begins with a dash. Its further lines are indented. */
function linesOf(message: string): readonly string[] {
  const lines = message
    .trim()
    .split("\n")
    .map((line) => line.trimEnd().replaceAll(/[\p{Cc}\p{Cf}]/gu, escaped));
  return lines.map((line, index) => `${index === 0 ? "- " : "  "}${line}`.trimEnd());
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

if (import.meta.main) {
  writeFileSync(GALLERY, gallery());
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAdminTexts } from "@latchkey/i18n/admin.ts";
import type { TextTree } from "@latchkey/i18n/message.ts";
import { parseSync } from "vite";
import { expect, test } from "vitest";

/** A node of a syntax tree, of which the tests read few members. */
interface Node {
  readonly type: string;
  readonly value?: unknown;
  readonly [member: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
  .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
  .map((path) => ({ path, code: readFileSync(join(import.meta.dirname, path), "utf8") }));

/** Attributes and members whose values users read or hear. */
const shown = new Set([
  "action",
  "advice",
  "anyLabel",
  "aria-label",
  "consequence",
  "description",
  "detail",
  "done",
  "emptyText",
  "empty",
  "header",
  "hint",
  "label",
  "message",
  "placeholder",
  "searchHint",
  "searchLabel",
  "text",
  "title",
]);

const hasWords = (text: unknown): boolean => typeof text === "string" && /\p{L}{2}/u.test(text);

/** Names and symbols that are the same in every language. */
const names = new Set(["Inter", "JSON", "POST", "ms"]);

/** A path of the catalogue in the place of a text, or an example of an address. */
const isPath = (text: string): boolean => /^(?:\w+(?:\.[\w-]+)+|https:\S+)$/.test(text);

/** Returns the plain texts below a node that users would read. */
const plainTexts = (node: unknown, isCode = false): string[] => {
  if (Array.isArray(node)) return node.flatMap((one) => plainTexts(one, isCode));
  if (!isNode(node)) return [];
  const { type, value } = node;
  if (type === "JSXText") return hasWords(value) && !isCode ? [String(value).trim()] : [];
  const key = [node["name"], node["key"]].find(isNode);
  const name = [key?.["name"], key?.["value"]].find((one) => typeof one === "string") ?? "";
  if (["JSXAttribute", "Property"].includes(type) && shown.has(name) && isNode(value)) {
    const text = value.type === "Literal" ? value.value : undefined;
    if (hasWords(text)) return [String(text)];
  }
  const tag = isNode(node["openingElement"]) ? node["openingElement"]["name"] : undefined;
  const isOfCode = isCode || (isNode(tag) && ["code", "kbd"].includes(String(tag["name"])));
  return Object.values(node).flatMap((part) => plainTexts(part, isOfCode));
};

test("screens have no plain text, because it would be in one language", () => {
  const plain = sources.flatMap(({ path, code }) =>
    plainTexts(parseSync(path, code).program)
      .filter((text) => !names.has(text) && !isPath(text))
      .map((text) => `${path}: ${text}`),
  );
  expect(plain).toEqual([]);
});

const pathsOf = (tree: TextTree, prefix = ""): string[] =>
  Object.entries(tree).flatMap(([key, part]) =>
    typeof part === "string" ? [prefix + key] : pathsOf(part, `${prefix}${key}.`),
  );

test("every text of the catalogue is used", async () => {
  const code = sources.map((source) => source.code).join("\n");
  const ui = readFileSync(
    join(import.meta.dirname, "../../../libs/ui/src/components/locale.ts"),
    "utf8",
  );
  const whole = new Set([...`${code}${ui}`.matchAll(/"([\w.-]+)"/g)].map(([, path]) => path));
  // Such as `parties.names.${kind}`, whose end only its caller knows.
  const begun = [...code.matchAll(/`([a-z]\w*\.(?:[\w.-]+\.)?)\$\{/g)].map(([, head = ""]) => head);
  const unused = pathsOf(await loadAdminTexts("en"))
    .filter((path) => !whole.has(path) && !begun.some((head) => path.startsWith(head)))
    .filter((path) => !path.startsWith("ui.") || !whole.has(path.slice("ui.".length)));
  expect(unused).toEqual([]);
});

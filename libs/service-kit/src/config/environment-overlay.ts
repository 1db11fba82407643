import { optionVariables } from "./option-variables.ts";
import type { EnvironmentTexts } from "./read-secret-files.ts";

const isTree = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Merges two trees deeply. The second one wins. */
const merge = (one: unknown, other: unknown): unknown => {
  if (!isTree(one) || !isTree(other)) return other;
  const base = one as Record<string, unknown>;
  const added = Object.entries(other).map(([name, value]) => [name, merge(base[name], value)]);
  return { ...one, ...Object.fromEntries(added) };
};

const withPath = (
  tree: object,
  path: readonly string[],
  change: (before: unknown) => unknown,
): object => {
  const [name = "", ...rest] = path;
  const below = (tree as Record<string, unknown>)[name];
  const child = typeof below === "object" && below !== null ? below : {};
  return { ...tree, [name]: rest.length === 0 ? change(below) : withPath(child, rest, change) };
};

/** Returns the names of all members of a tree, at every depth. */
const namesBelow = (name: string, value: unknown): string[] => {
  if (!isTree(value)) return [];
  const members = Object.entries(value).map(([member, below]) => [`${name}.${member}`, below]);
  return members.flatMap(([member, below]) => [member].concat(namesBelow(member, below)));
};

/** Returns the names of the options that variables or files of the environment set. */
export const overlaidOptions = ({ texts }: EnvironmentTexts): string[] =>
  optionVariables.flatMap(({ name, option, read, adds }) => {
    const text = texts[name];
    if (!text) return [];
    return [option, ...(adds ? namesBelow(option, read(text)) : [])];
  });

/** Returns the tree with the environment's options merged into it. An empty variable and an unreadable file count as absent. */
export const overlayEnvironment = (tree: object, { texts }: EnvironmentTexts): object =>
  optionVariables.reduce((overlaid, { name, option, read, adds }) => {
    const text = texts[name];
    if (!text) return overlaid;
    const value = read(text);
    const change = (before: unknown) => (adds ? merge(before, value) : value);
    return withPath(overlaid, option.split("."), change);
  }, tree);

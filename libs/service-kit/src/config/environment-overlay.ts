import { optionVariables } from "./option-variables.ts";
import type { SaidTexts } from "./read-secret-files.ts";

const withPath = (tree: object, path: readonly string[], value: unknown): object => {
  const [name = "", ...rest] = path;
  const below = (tree as Record<string, unknown>)[name];
  const child = typeof below === "object" && below !== null ? below : {};
  return { ...tree, [name]: rest.length === 0 ? value : withPath(child, rest, value) };
};

/** The names of the options that the environment says, by variables or files. */
export const overlaidOptions = ({ texts }: SaidTexts): string[] =>
  optionVariables.filter(({ name }) => texts[name]).map(({ option }) => option);

/** The tree with what the environment says laid over it; an empty variable counts as absent, and a file that cannot be read too. */
export const overlayEnvironment = (tree: object, { texts }: SaidTexts): object =>
  optionVariables.reduce((overlaid, { name, option, read }) => {
    const text = texts[name];
    return text ? withPath(overlaid, option.split("."), read(text)) : overlaid;
  }, tree);

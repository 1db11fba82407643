import { readFileSync, statSync } from "node:fs";
import type { Environment } from "./environment.ts";
import { optionVariables } from "./option-variables.ts";

/** What the variables say, with the contents of files in place of their paths. */
export interface SaidTexts {
  texts: Environment;
  /** What is wrong, and the option that is not known because of it. */
  problems: { option: string; problem: string }[];
}

const secrets = optionVariables.filter(({ isSecret }) => isSecret);

const bytesMax = 64 * 1024;

/** A pipe would hold the process up, deaf to signals, and give its contents once where they are read several times. */
const refuseUnreadable = (path: string): void => {
  const found = statSync(path);
  if (!found.isFile() && !found.isDirectory()) throw new Error(`${path} is no regular file`);
  if (found.size > bytesMax) throw new Error(`${path} is larger than ${bytesMax} bytes`);
};

/** The contents of a file; throws with what is wrong with it. */
const readText = (path: string): string => {
  let text: string;
  try {
    refuseUnreadable(path);
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${path} cannot be read (${code})`, { cause: error });
  }
  if (/[\0\uFFFD]/.test(text)) throw new Error(`${path} is no text`);
  // What writes a file ends it with a newline, which belongs to no secret.
  const trimmed = text.replace(/[\r\n]+$/, "");
  if (trimmed === "") throw new Error(`${path} is empty`);
  return trimmed;
};

/** Reads the files that `<NAME>_FILE` names, of secrets alone; an empty variable counts as absent. */
export const readSecretFiles = (environment: Environment): SaidTexts => {
  const texts: Record<string, string | undefined> = { ...environment };
  const problems: SaidTexts["problems"] = [];
  for (const { name, option } of secrets) {
    const path = environment[`${name}_FILE`];
    if (!path) continue;
    try {
      if (environment[name]) throw new Error(`goes without ${name}`);
      texts[name] = readText(path);
    } catch (error) {
      problems.push({ option, problem: `${name}_FILE: ${(error as Error).message}` });
    }
  }
  return { texts, problems };
};

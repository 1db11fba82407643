import { readFileSync, statSync } from "node:fs";
import type { ServiceName } from "@latchkey/contracts";
import type { Environment } from "./environment.ts";
import { optionVariables } from "./option-variables.ts";

/** A file that cannot be used. */
export interface FileProblem {
  problem: string;
  /** What is not known because of it. */
  option: string;
  /** The only service that misses it; undefined where it is everybody's. */
  service: ServiceName | undefined;
}

/** What the variables say, with the contents of files where they name them. */
export interface SaidTexts {
  texts: Environment;
  problems: FileProblem[];
}

const secrets = optionVariables.filter(({ isSecret }) => isSecret);

const bytesMax = 64 * 1024;

/** A pipe would hold the process up, deaf to signals, until somebody writes to it. */
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

/**
 * Reads the files that `<NAME>_FILE` names, of secrets alone; an empty variable counts as absent. Each is read once, and what goes
 * by it is given what it said: a file may say something else the next time.
 */
export const readSecretFiles = (environment: Environment): SaidTexts => {
  const texts: Record<string, string | undefined> = { ...environment };
  const problems: SaidTexts["problems"] = [];
  for (const { name, option, service } of secrets) {
    const path = environment[`${name}_FILE`];
    if (!path) continue;
    try {
      if (environment[name]) throw new Error(`goes without ${name}`);
      texts[name] = readText(path);
    } catch (error) {
      problems.push({ option, service, problem: `${name}_FILE: ${(error as Error).message}` });
    }
  }
  return { texts, problems };
};

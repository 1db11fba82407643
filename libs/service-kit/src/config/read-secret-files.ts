import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "@latchkey/contracts";
import type { Environment } from "./environment.ts";
import { optionVariables } from "./option-variables.ts";

export interface FileProblem {
  problem: string;
  /** The option that lacks a value because of it. */
  option: string;
  /** The only service that needs the option, or undefined if all do. */
  service: ServiceName | undefined;
}

/** The texts of the variables, with files replaced by their contents. */
export interface EnvironmentTexts {
  texts: Environment;
  problems: FileProblem[];
}

const secrets = optionVariables.filter(({ isSecret }) => isSecret);

const bytesMax = 64 * 1024;

/** Reading a pipe would block the process, without handling signals, until something writes to it. */
const refuseUnreadable = (path: string): void => {
  const status = statSync(path);
  if (!status.isFile() && !status.isDirectory()) throw new Error(`${path} is not a regular file`);
  if (status.size > bytesMax) throw new Error(`${path} is larger than ${bytesMax} bytes`);
};

/** Returns the contents of a file, or throws an error that states the problem. */
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
  if (/[\0\uFFFD]/.test(text)) throw new Error(`${path} is not text`);
  // Most tools end a file with a newline, which is not part of the secret.
  const trimmed = text.replace(/[\r\n]+$/, "");
  if (trimmed === "") throw new Error(`${path} is empty`);
  return trimmed;
};

const folderVariable = "SECRETS_FOLDER";

/** Returns the names of the files in the folder. An unreadable folder is a problem of every service. */
const listFolder = (folder: string | undefined, problems: FileProblem[]): readonly string[] => {
  if (!folder) return [];
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    const problem = `${folderVariable}: ${folder} cannot be read (${code})`;
    problems.push({ option: "options", service: undefined, problem });
    return [];
  }
};

/** `DATABASE_URL` is in the file `database-url`. */
const fileNameOf = (variable: string): string => variable.toLowerCase().replaceAll("_", "-");

/**
 * Reads secrets from the files that `<NAME>_FILE` names, and from the files in `SECRETS_FOLDER` whose variable is not set. An
 * empty variable counts as absent. Each file is read only once, because its contents may change, and all services get the same
 * value.
 */
export const readSecretFiles = (environment: Environment): EnvironmentTexts => {
  const texts: Record<string, string | undefined> = { ...environment };
  const problems: EnvironmentTexts["problems"] = [];
  const folder = environment[folderVariable];
  const inFolder = listFolder(folder, problems);
  for (const { name, option, service } of secrets) {
    const named = environment[`${name}_FILE`];
    const hasFile = folder && !environment[name] && inFolder.includes(fileNameOf(name));
    const path = named || (hasFile ? join(folder, fileNameOf(name)) : undefined);
    if (!path) continue;
    try {
      if (environment[name]) throw new Error(`cannot be combined with ${name}`);
      texts[name] = readText(path);
    } catch (error) {
      const variable = named ? `${name}_FILE` : folderVariable;
      problems.push({ option, service, problem: `${variable}: ${(error as Error).message}` });
    }
  }
  return { texts, problems };
};

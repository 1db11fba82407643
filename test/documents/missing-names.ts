import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import type { Block } from "./read-document.ts";

interface Compose {
  services: Record<string, { profiles?: string[] }>;
}

const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found = ""]) => found);

const missingScripts = async ({ text }: Block): Promise<string[]> => {
  const { scripts } = JSON.parse(await readFile("package.json", "utf8")) as {
    scripts: Record<string, string>;
  };
  const named = matches(text, /npm (?:run )?((?:start|migrate|build|test|bench)[\w:]*)/g);
  return named.filter((name) => !Object.hasOwn(scripts, name)).map((name) => `npm run ${name}`);
};

const missingFiles = ({ text }: Block): string[] => {
  const files = matches(text, /((?:infra|services|scripts|docs)\/[\w./%-]+)/g);
  const folders = matches(text, /kubectl apply -k (\S+)/g).map(
    (name) => `${name}/kustomization.yaml`,
  );
  return [...files, ...folders].filter((name) => !existsSync(name));
};

const missingOfCompose = async ({ text }: Block): Promise<string[]> => {
  const [file] = matches(text, /docker compose -f (\S+)/g);
  if (file === undefined || !existsSync(file)) return [];
  const { services } = parse(await readFile(file, "utf8"), {
    merge: true,
    maxAliasCount: -1, // its services share most of their definitions by aliases
  }) as Compose;
  const profiles = new Set(Object.values(services).flatMap((service) => service.profiles ?? []));
  return [
    ...matches(text, /--profile (\S+)/g).filter((name) => !profiles.has(name)),
    ...matches(text, /(?:run --rm|exec -T) (\S+)/g).filter(
      (name) => !Object.hasOwn(services, name),
    ),
  ];
};

/**
 * Returns the names in a block that do not exist. Checks scripts, files, and profiles and services of compose, for blocks that
 * cannot be run here.
 */
export const findMissingNames = async (block: Block): Promise<string[]> => [
  ...(await missingScripts(block)),
  ...missingFiles(block),
  ...(await missingOfCompose(block)),
];

import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { servicePorts } from "./service-ports.ts";

const secretBytes = 32;
const services = Object.keys(servicePorts);
const owner = "latchkey";

const keptSchema = z.object({
  authSecret: z.string(),
  redis: z.string(),
  /** Passwords by the name of the Postgres role. */
  roles: z.record(z.string(), z.string()),
});
type Kept = z.output<typeof keptSchema>;

export interface SecretsPlan {
  directory: string;
  /** Host, port and database of Postgres: `postgres:5432/latchkey`. */
  postgres: string;
  /** Host and port of Redis: `redis:6379`. */
  redis: string;
  /** Host and port of the SMTP server if there is no `smtp-url`: `mailpit:1025`. */
  smtp: string;
  /** The folder of the operator's own secrets. */
  given: string;
}

/** The files that an operator may supply, with the services that use each. Commands check everything, so they see all files. */
const givenFiles: Readonly<Record<string, readonly string[]>> = {
  "smtp-url": ["mailer"],
  "service-tokens": ["identity", "organization", "apikey", "mailer", "webhooks", "oauth"],
  "social-providers": ["identity"],
  "captcha-secret-key": ["gateway"],
};

/** The services with their own schema. With Redis, the gateway needs none. */
const withDatabase = services.filter((name) => name !== "gateway");

const roleOf = (service: string) => `${owner}_${service}`;
const newSecret = () => randomBytes(secretBytes).toString("base64url");

/** Throws an error without the parser's message, which would quote a secret. */
const parseKept = (path: string, text: string): Kept => {
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is damaged: restore it from its backup`);
  }
};

/** Writes a complete, flushed file before it links the final name. So no reader sees a partial file, and the first writer wins. */
const keep = async (path: string, kept: Kept): Promise<void> => {
  const made = `${path}.${randomBytes(8).toString("hex")}`;
  await writeFile(made, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600, flush: true });
  try {
    await link(made, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(made, { force: true });
  }
};

const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== "ENOENT") throw error;
};

const readKept = async (path: string): Promise<Kept> => {
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  if (text !== undefined) return parseKept(path, text);
  const roles = [owner, ...withDatabase.map(roleOf)].map((role) => [role, newSecret()] as const);
  await keep(path, {
    authSecret: newSecret(),
    redis: newSecret(),
    roles: Object.fromEntries(roles),
  });
  return readKept(path);
};

/** Reads the operator's files, without a newline at their end. */
const readGiven = async ({ given, smtp }: SecretsPlan): Promise<Record<string, string>> => {
  const ownSecrets: Record<string, string> = { "smtp-url": `smtp://${smtp}` };
  for (const name of Object.keys(givenFiles)) {
    const text = await readFile(join(given, name), "utf8").catch(ignoreMissing);
    if (text !== undefined) ownSecrets[name] = text.trimEnd();
  }
  return ownSecrets;
};

/** Returns the operator's files that a service uses. */
const usedBy = (service: string, given: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => givenFiles[name]?.includes(service)));

/** Returns the folder of each container, with its files by name. */
const foldersOf = (
  kept: Kept,
  plan: SecretsPlan,
  given: Record<string, string>,
): Record<string, Record<string, string>> => {
  const databaseUrl = (role: string) => `postgres://${role}:${kept.roles[role]}@${plan.postgres}`;
  const ofHouse = {
    "auth-secret": kept.authSecret,
    "redis-url": `redis://:${kept.redis}@${plan.redis}`,
  };
  const ofServices = withDatabase.map(
    (service) => [service, databaseUrl(roleOf(service))] as const,
  );
  const folderOf = (service: string) => ({
    ...ofHouse,
    ...usedBy(service, given),
    ...(withDatabase.includes(service) ? { "database-url": databaseUrl(roleOf(service)) } : {}),
  });
  return {
    postgres: { password: kept.roles[owner] ?? "" },
    redis: { password: kept.redis, "redis.conf": `requirepass ${kept.redis}` },
    operator: {
      ...ofHouse,
      ...given,
      "database-url": databaseUrl(owner),
      ...Object.fromEntries(ofServices.map(([name, url]) => [`${name}-database-url`, url])),
    },
    ...Object.fromEntries(services.map((name) => [name, folderOf(name)])),
  };
};

/** Writes the files of a folder, and removes other ones. */
const writeFolder = async (directory: string, files: Record<string, string>): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  for (const name of await readdir(directory))
    if (!Object.hasOwn(files, name)) await rm(join(directory, name), { recursive: true });
  for (const [name, value] of Object.entries(files))
    await writeFile(join(directory, name), `${value}\n`, { mode: 0o640 });
};

/**
 * Creates the secrets of an installation (`secrets.json`), and writes for each container the files that it uses, including the
 * operator's own. Existing secrets are kept, because stored values are sealed with them.
 */
export const makeSecrets = async (plan: SecretsPlan): Promise<void> => {
  await mkdir(plan.directory, { recursive: true, mode: 0o750 });
  const savedSecrets = await readKept(join(plan.directory, "secrets.json"));
  const folders = foldersOf(savedSecrets, plan, await readGiven(plan));
  for (const [folder, files] of Object.entries(folders))
    await writeFolder(join(plan.directory, folder), files);
};

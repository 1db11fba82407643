import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { servicePorts } from "./service-ports.ts";

const secretBytes = 32;
const services = Object.keys(servicePorts);
const owner = "latchkey";

const keptSchema = z.object({
  authSecret: z.string(),
  redis: z.string(),
  /** By the name of the role in Postgres. */
  roles: z.record(z.string(), z.string()),
});
type Kept = z.output<typeof keptSchema>;

export interface SecretsPlan {
  directory: string;
  /** Where Postgres answers, with the name of the database: `postgres:5432/latchkey`. */
  postgres: string;
  /** Where Redis answers: `redis:6379`. */
  redis: string;
}

const roleOf = (service: string) => `${owner}_${service}`;
const newSecret = () => randomBytes(secretBytes).toString("base64url");

/** Tells nothing of what is in it, as what a parser says would. */
const parseKept = (path: string, text: string): Kept => {
  try {
    return keptSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(`${path} is not as it was made: put it back from its backup`);
  }
};

/** Made whole and durable before it has its name, so that nobody ever meets half of it, and never made twice. */
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

const readKept = async (path: string): Promise<Kept> => {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text !== undefined) return parseKept(path, text);
  const roles = [owner, ...services.map(roleOf)].map((role) => [role, newSecret()] as const);
  await keep(path, {
    authSecret: newSecret(),
    redis: newSecret(),
    roles: Object.fromEntries(roles),
  });
  return readKept(path);
};

/** What each reader gets: a folder with files of these names. */
const foldersOf = (kept: Kept, plan: SecretsPlan): Record<string, Record<string, string>> => {
  const databaseUrl = (role: string) => `postgres://${role}:${kept.roles[role]}@${plan.postgres}`;
  const ofHouse = {
    "auth-secret": kept.authSecret,
    "redis-url": `redis://:${kept.redis}@${plan.redis}`,
  };
  const ofServices = services.map((service) => [service, databaseUrl(roleOf(service))] as const);
  return {
    postgres: { password: kept.roles[owner] ?? "" },
    redis: { password: kept.redis, "redis.conf": `requirepass ${kept.redis}` },
    operator: {
      ...ofHouse,
      "database-url": databaseUrl(owner),
      ...Object.fromEntries(ofServices.map(([name, url]) => [`${name}-database-url`, url])),
    },
    ...Object.fromEntries(
      ofServices.map(([name, url]) => [name, { ...ofHouse, "database-url": url }]),
    ),
  };
};

/**
 * Makes what an installation keeps secret, once (`secrets.json`), and writes for each container what it may read. What was made
 * is never made anew: everything is sealed under it.
 */
export const makeSecrets = async (plan: SecretsPlan): Promise<void> => {
  await mkdir(plan.directory, { recursive: true, mode: 0o750 });
  const kept = await readKept(join(plan.directory, "secrets.json"));
  for (const [folder, files] of Object.entries(foldersOf(kept, plan))) {
    const directory = join(plan.directory, folder);
    await mkdir(directory, { recursive: true, mode: 0o750 });
    for (const [name, value] of Object.entries(files))
      await writeFile(join(directory, name), `${value}\n`, { mode: 0o640 });
  }
};

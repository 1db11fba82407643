import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { type Options, type ServiceName, serviceNames } from "@latchkey/contracts";
import {
  checkSettings,
  ConfigurationError,
  type EnvironmentTexts,
  loadConfigFile,
  overlayEnvironment,
  readSecretFiles,
  type Settings,
} from "@latchkey/service-kit/config";
import { findEmbeddedPostgres, startEmbeddedPostgres } from "@latchkey/embedded-postgres";

/** The data folder of `npm start`. */
export const dataDirectory = resolve(process.env["DATA_FOLDER"] || ".data");

/** Returns how messages name a path in the data folder: relative, if it is below the working directory. */
export const shownData = (name: string): string => {
  const path = join(dataDirectory, name);
  const below = relative(process.cwd(), path);
  return below.startsWith("..") ? path : below;
};

const databaseDirectory = join(dataDirectory, "postgres");
const secretFile = join(dataDirectory, "secret");
const secretBytes = 32;

/** The configuration before its validation. */
export interface Configured {
  /** The configuration file. */
  tree: object;
  /** The texts of the environment, with files read. */
  environmentTexts: EnvironmentTexts;
  production: boolean;
  /** The shared one. */
  databaseUrl: string | undefined;
  /** The services with their own database address. */
  apart: readonly ServiceName[];
  secret: string[] | undefined;
}

/** Overrides the tree with the environment. */
export const configuredBy = (tree: object, environmentTexts: EnvironmentTexts): Configured => {
  const overlaid = overlayEnvironment(tree, environmentTexts) as Partial<Options>;
  const { directDatabaseUrl, databaseUrl = directDatabaseUrl, databases, secret } = overlaid;
  return {
    tree,
    environmentTexts,
    production: environmentTexts.texts["NODE_ENV"] === "production",
    databaseUrl,
    apart: serviceNames.filter((name) => databases?.[name]?.url),
    secret,
  };
};

export const readConfigured = async (environmentTexts: EnvironmentTexts): Promise<Configured> =>
  configuredBy(await loadConfigFile(environmentTexts.texts, process.cwd()), environmentTexts);

/** Returns the generated secret, which exists if none is configured. */
export const findKeptSecret = async (): Promise<string | undefined> => {
  const content = await readFile(secretFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error; // an unreadable secret must not be replaced, because all data is sealed with it
  });
  return content.trim() || undefined;
};

/** Removes an empty secret file, unless a database may hold data that the lost secret sealed. */
const clearEmptySecret = async (configured: Configured): Promise<void> => {
  if (!existsSync(secretFile)) return;
  if (hasOwnDatabase() || hasDatabase(configured))
    throw new ConfigurationError([
      `${secretFile} is empty: put it back from a backup, or set AUTH_SECRET. Remove the file only if the database is new`,
    ]);
  await rm(secretFile);
};

/** Writes the secret completely before the file gets its name, so that a killed start leaves no partial secret. */
const makeSecret = async (): Promise<string> => {
  const made = randomBytes(secretBytes).toString("base64url");
  const fresh = `${secretFile}.${randomBytes(8).toString("hex")}`;
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(fresh, `${made}\n`, { mode: 0o600, flush: true });
  try {
    // Fails if a concurrent start was first. With two secrets, each would seal data that the other cannot open.
    await link(fresh, secretFile);
  } finally {
    await rm(fresh, { force: true });
  }
  return made;
};

/** Returns the address of this folder's database if it runs. */
export const findOwnDatabase = async (): Promise<string | undefined> =>
  (await findEmbeddedPostgres(databaseDirectory))?.url;

/** Returns whether this folder has a database. */
export const hasOwnDatabase = (): boolean => existsSync(join(databaseDirectory, "PG_VERSION"));

/** A running database of this folder. `stop` ends it only if this process started it. */
interface OwnDatabase {
  url: string;
  /** The folder of its data. */
  directory: string;
  stop(): Promise<void>;
}

/** Creates the database at the first start. Rejects if it already runs. */
const startOwnDatabase = (): Promise<OwnDatabase> =>
  startEmbeddedPostgres({ directory: databaseDirectory, durable: true });

const joinOwnDatabase = async (): Promise<OwnDatabase> => {
  const running = await findEmbeddedPostgres(databaseDirectory);
  return running ? { ...running, stop: async () => {} } : startOwnDatabase();
};

const hasDatabase = ({ databaseUrl, apart }: Configured): boolean =>
  databaseUrl !== undefined || apart.length > 0;

const openOwnDatabase = async (
  configured: Configured,
  as: Role,
): Promise<OwnDatabase | undefined> => {
  if (hasDatabase(configured)) return undefined;
  if (as === "server") return startOwnDatabase();
  // In production a missing address must not silently select a new, empty database.
  return configured.production && !hasOwnDatabase() ? undefined : joinOwnDatabase();
};

const chooseSecret = async (configured: Configured, as: Role): Promise<string[] | undefined> => {
  const { production, secret } = configured;
  if (secret || production) return secret;
  const isOurs = as === "server" || !hasDatabase(configured);
  const savedSecret = await findKeptSecret();
  if (savedSecret) return [savedSecret];
  if (!isOurs) return undefined;
  await clearEmptySecret(configured);
  return [await makeSecret()];
};

/** `server` is the only process that serves, and starts what it needs. `guest` works with or without a running server. */
type Role = "server" | "guest";

/** The settings of a usable installation. */
export interface Installation {
  settings: Settings;
  /** The data folder of this folder's database, or undefined if another one is configured. */
  ownData: string | undefined;
  /** Whether the secret was generated here because none is configured. */
  isSecretKept: boolean;
  /** Stops everything that this call started. */
  stop(): Promise<void>;
}

/**
 * Opens the configured installation. Without a configured database it uses the one of this folder, and without a secret the generated one.
 * Work for some `services` needs only their databases.
 */
export const openInstallation = async (
  as: Role,
  services?: readonly ServiceName[],
): Promise<Installation> => {
  const configured = await readConfigured(readSecretFiles(process.env));
  const secret = await chooseSecret(configured, as);
  const own = await openOwnDatabase(configured, as);
  const databaseUrl = configured.databaseUrl ?? own?.url;
  try {
    const ownTree = { ...configured.tree, ...(secret ? { secret } : {}) };
    const settings = checkSettings(
      { ...ownTree, ...(databaseUrl ? { databaseUrl } : {}) },
      configured.environmentTexts,
      services,
    );
    return {
      // The database of this folder is the default, so it does not count as given. The generated secret counts as given by a file.
      settings: own ? { ...settings, given: { ...settings.given, file: ownTree } } : settings,
      ownData: own?.directory,
      isSecretKept: !configured.secret && secret !== undefined,
      stop: async () => own?.stop(),
    };
  } catch (error) {
    await own?.stop();
    throw error;
  }
};

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Options, type ServiceName, serviceNames } from "@latchkey/contracts";
import {
  checkSettings,
  loadConfigFile,
  overlayEnvironment,
  readSecretFiles,
  type SaidTexts,
  type Settings,
} from "@latchkey/service-kit";
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from "@latchkey/service-kit/embedded-postgres";

const dataDirectory = join(process.cwd(), ".data");
const databaseDirectory = join(dataDirectory, "postgres");
const secretFile = join(dataDirectory, "secret");
const secretBytes = 32;

/** What is configured, before it is checked. */
export interface Configured {
  /** The configuration file. */
  tree: object;
  /** What the environment says, its files read. */
  said: SaidTexts;
  production: boolean;
  /** The shared one. */
  databaseUrl: string | undefined;
  /** The services that have a database address of their own. */
  apart: readonly ServiceName[];
  secret: string[] | undefined;
}

/** Lays what the environment says over a tree. */
export const configuredBy = (tree: object, said: SaidTexts): Configured => {
  const overlaid = overlayEnvironment(tree, said) as Partial<Options>;
  const { directDatabaseUrl, databaseUrl = directDatabaseUrl, databases, secret } = overlaid;
  return {
    tree,
    said,
    production: said.texts["NODE_ENV"] === "production",
    databaseUrl,
    apart: serviceNames.filter((name) => databases?.[name]?.url),
    secret,
  };
};

export const readConfigured = async (said: SaidTexts): Promise<Configured> =>
  configuredBy(await loadConfigFile(said.texts, process.cwd()), said);

/** The secret that was made here because none is configured, if there is one. */
export const findKeptSecret = async (): Promise<string | undefined> => {
  const kept = await readFile(secretFile, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error; // a secret that cannot be read must not be replaced: everything is sealed under it
  });
  return kept.trim() || undefined;
};

const makeSecret = async (): Promise<string> => {
  const made = randomBytes(secretBytes).toString("base64url");
  await mkdir(dataDirectory, { recursive: true });
  await writeFile(secretFile, `${made}\n`, { mode: 0o600, flag: "wx" });
  return made;
};

/** Where the database of this folder answers, if it runs. */
export const findOwnDatabase = (): Promise<string | undefined> =>
  findEmbeddedPostgres(databaseDirectory);

/** Whether this folder has a database of its own. */
export const hasOwnDatabase = (): boolean => existsSync(join(databaseDirectory, "PG_VERSION"));

/** A database of this folder that runs; `stop` ends it where we started it. */
interface OwnDatabase {
  url: string;
  stop(): Promise<void>;
}

/** Refuses when it runs already. Made at the first time. */
const startOwnDatabase = (): Promise<OwnDatabase> =>
  startEmbeddedPostgres({ directory: databaseDirectory, durable: true });

const joinOwnDatabase = async (): Promise<OwnDatabase> => {
  const url = await findOwnDatabase();
  return url ? { url, stop: async () => {} } : startOwnDatabase();
};

const hasDatabase = ({ databaseUrl, apart }: Configured): boolean =>
  databaseUrl !== undefined || apart.length > 0;

const openOwnDatabase = async (
  configured: Configured,
  as: Role,
): Promise<OwnDatabase | undefined> => {
  if (hasDatabase(configured)) return undefined;
  if (as === "server") return startOwnDatabase();
  // In production a forgotten address must not pass for a new and empty database.
  return configured.production && !hasOwnDatabase() ? undefined : joinOwnDatabase();
};

const chooseSecret = async (configured: Configured, as: Role): Promise<string[] | undefined> => {
  const { production, secret } = configured;
  if (secret || production) return secret;
  const isOurs = as === "server" || !hasDatabase(configured);
  const kept = (await findKeptSecret()) ?? (isOurs ? await makeSecret() : undefined);
  return kept ? [kept] : undefined;
};

/** `server`: the one process that serves, and starts what it needs. `guest`: works beside it or without it. */
type Role = "server" | "guest";

/** Settings that can be worked with. */
export interface Installation {
  settings: Settings;
  /** Whether the database is this folder's own, because none is configured. */
  isEmbedded: boolean;
  /** Whether the secret is the one made here, because none is configured. */
  isSecretKept: boolean;
  /** Ends what was started. */
  stop(): Promise<void>;
}

/**
 * What is configured; where no database is, the one of this folder, and where no secret is, the one kept here. What is done for some
 * `services` alone needs no database but theirs.
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
    const kept = { ...configured.tree, ...(secret ? { secret } : {}) };
    const settings = checkSettings(
      { ...kept, ...(databaseUrl ? { databaseUrl } : {}) },
      configured.said,
      services,
    );
    return {
      // A database of our own is what there is by default; the secret that is kept stands in a file.
      settings: own ? { ...settings, given: { ...settings.given, file: kept } } : settings,
      isEmbedded: own !== undefined,
      isSecretKept: !configured.secret && secret !== undefined,
      stop: async () => own?.stop(),
    };
  } catch (error) {
    await own?.stop();
    throw error;
  }
};

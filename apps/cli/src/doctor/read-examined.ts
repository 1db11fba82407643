import { optionsSchema, type ServiceName } from "@latchkey/contracts";
import {
  checkSettings,
  ConfigurationError,
  type Environment,
  type EnvironmentTexts,
  findMisspelled,
  optionVariables,
  overlayEnvironment,
  processVariables,
  readSecretFiles,
  type Settings,
} from "@latchkey/service-kit/config";
import { messageOf } from "../terminal/message-of.ts";
import {
  type Configured,
  configuredBy,
  findKeptSecret,
  findOwnDatabase,
  hasOwnDatabase,
  readConfigured,
} from "../installation/open-installation.ts";

/** The input of the checks. */
export interface Examined {
  /** The usable part of the configuration, without the fields that have problems. Nothing is logged with it. */
  settings: Settings;
  production: boolean;
  /** The problems of the configuration. */
  problems: readonly string[];
  /** Problems of variables without an effect, whose names are almost those of others. */
  misspelled: readonly string[];
  /** The options and variables that are left out because of problems. */
  leftOut: ReadonlySet<string>;
  /** The source of the secret. */
  secretFrom: "configured" | "kept" | "nowhere";
  /** The kind of database: a configured one, or the one of this folder. */
  database: "configured" | "embedded" | "embedded, stopped" | "none";
}

const anyDatabase = "postgres://localhost/unknown";
const notNetwork = new Set(["NODE_ENV", "LATCHKEY_CONFIG"]);
const networkVariables = new Set(
  processVariables.map(({ name }) => name).filter((name) => !notNetwork.has(name)),
);

/** Returns the top-level option, or the variable without an option, that a problem names. */
const rootOf = (problem: string): string => {
  const [root = ""] = problem.split(/[.:]/, 1);
  const variable = optionVariables.find(({ name }) => name === root);
  return variable?.option.split(".", 1)[0] ?? root;
};

/** Collects the problems of reading. `fallback` replaces a value with problems. */
const createCollector =
  (problems: string[]) =>
  async <T>(read: () => T | Promise<T>, fallback: T) => {
    try {
      return await read();
    } catch (error) {
      problems.push(...(error instanceof ConfigurationError ? error.problems : [messageOf(error)]));
      return fallback;
    }
  };

/** Returns the settings without the invalid parts, so that the rest can still be checked. */
const salvage = (
  tree: object,
  environmentTexts: EnvironmentTexts,
  services: readonly ServiceName[] | undefined,
): Pick<Examined, "settings" | "leftOut"> => {
  const overlaid = overlayEnvironment(tree, environmentTexts);
  const leftOut = new Set<string>();
  const standIn = services ? {} : { databaseUrl: anyDatabase };
  const only = <T>(record: Readonly<Record<string, T>>, isKnown: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(record).filter(([name]) => isKnown(name) && !leftOut.has(name)),
    );
  for (;;) {
    const options = only({ ...overlaid }, (name) => Object.hasOwn(optionsSchema.shape, name));
    const variables = only(environmentTexts.texts, (name) => networkVariables.has(name));
    try {
      return {
        settings: checkSettings(
          { ...standIn, ...options },
          { texts: variables, problems: [] },
          leftOut.has("databases") ? services && [] : services,
        ),
        leftOut,
      };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const before = leftOut.size;
      for (const problem of error.problems) leftOut.add(rootOf(problem));
      if (leftOut.size === before) throw error; // nothing else to leave out
    }
  }
};

const silence = (settings: Settings): Settings => ({
  ...settings,
  options: { ...settings.options, logger: { level: "silent", disabled: true } },
});

/** Returns the only services that have a database. Undefined if there is a shared one, or none. */
const lone = ({ databaseUrl, apart }: Configured): readonly ServiceName[] | undefined =>
  databaseUrl || apart.length === 0 ? undefined : apart;

const databaseOf = (configured: Configured, own: string | undefined): Examined["database"] => {
  if (configured.databaseUrl || lone(configured)) return "configured";
  if (own) return "embedded";
  return hasOwnDatabase() ? "embedded, stopped" : "none";
};

/** Reads the whole configuration despite its problems. Starts nothing. */
export const readExamined = async (environment: Environment): Promise<Examined> => {
  const problems: string[] = [];
  const collect = createCollector(problems);
  const environmentTexts = readSecretFiles(environment);
  const bare = configuredBy({}, environmentTexts);
  const { production } = bare;
  const configured = await collect(() => readConfigured(environmentTexts), bare);
  const services = lone(configured);
  const isOwnSecret = !configured.secret && !production;
  const savedSecret = isOwnSecret ? await collect(findKeptSecret, undefined) : undefined;
  const isConfigured = databaseOf(configured, undefined) === "configured";
  const own = isConfigured ? undefined : await collect(findOwnDatabase, undefined);
  const database = databaseOf(configured, own);
  // Outside production `npm start` creates the missing database.
  const standIn = own ?? (production && database === "none" ? undefined : anyDatabase);
  const tree = {
    ...configured.tree,
    ...(isConfigured || !standIn ? {} : { databaseUrl: standIn }),
    ...(savedSecret ? { secret: [savedSecret] } : {}),
  };
  const whole = await collect(() => checkSettings(tree, environmentTexts, services), undefined);
  const { settings, leftOut: unusable } = whole
    ? { settings: whole, leftOut: [] }
    : salvage(tree, environmentTexts, services);
  for (const { problem } of environmentTexts.problems)
    if (!problems.includes(problem)) problems.push(problem);
  const leftOut = new Set([
    ...unusable,
    ...environmentTexts.problems.map(({ option }) => rootOf(option)),
  ]);
  const secretFrom = configured.secret ? "configured" : savedSecret ? "kept" : "nowhere";
  const misspelled = findMisspelled(environment);
  return {
    settings: silence(settings),
    production,
    problems,
    misspelled,
    leftOut,
    secretFrom,
    database,
  };
};

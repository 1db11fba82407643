import { optionsSchema, serviceNames } from "@latchkey/contracts";
import {
  ConfigurationError,
  overlayEnvironment,
  readSettings,
  type Settings,
} from "@latchkey/service-kit";
import { messageOf } from "../commands/message-of.ts";
import {
  type Configured,
  findKeptSecret,
  findOwnDatabase,
  hasOwnDatabase,
  readConfigured,
} from "../installation.ts";

/** What there is to examine. */
export interface Examined {
  /** What is usable of the configuration; problems left out what they name. Nothing is logged under it. */
  settings: Settings;
  production: boolean;
  /** What is wrong with the configuration. */
  problems: readonly string[];
  /** The options and variables that the problems left out. */
  leftOut: ReadonlySet<string>;
  /** Where the secret comes from. */
  secretFrom: "configured" | "kept" | "nowhere";
  /** Which database there is: a configured one, or that of this folder. */
  database: "configured" | "embedded" | "embedded, stopped" | "none";
}

type Environment = Readonly<Record<string, string | undefined>>;

const anyDatabase = "postgres://localhost/unknown";
const networkVariables = new Set([
  "HOST",
  "INTERNAL_HOST",
  "PORT",
  "GATEWAY_INTERNAL_PORT",
  "DRAIN_SECONDS",
  ...serviceNames.flatMap((name) => [`${name.toUpperCase()}_URL`, `${name.toUpperCase()}_PORT`]),
]);

/** The option or variable at the top of what a problem names. */
const rootOf = (problem: string): string => problem.split(/[.:]/, 1)[0] ?? "";

/** Collects the problems of what is read; `fallback` stands for what has any. */
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

/** The settings without what is wrong, so that the rest can be checked all the same. */
const salvage = (
  overlaid: object,
  environment: Environment,
): Pick<Examined, "settings" | "leftOut"> => {
  const leftOut = new Set<string>();
  const only = <T>(record: Readonly<Record<string, T>>, isKnown: (name: string) => boolean) =>
    Object.fromEntries(
      Object.entries(record).filter(([name]) => isKnown(name) && !leftOut.has(name)),
    );
  for (;;) {
    const options = only({ ...overlaid }, (name) => Object.hasOwn(optionsSchema.shape, name));
    const variables = only(environment, (name) => networkVariables.has(name));
    try {
      return {
        settings: readSettings({ databaseUrl: anyDatabase, ...options }, variables),
        leftOut,
      };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const before = leftOut.size;
      for (const problem of error.problems) leftOut.add(rootOf(problem));
      if (leftOut.size === before) throw error; // nothing more to leave out
    }
  }
};

const silence = (settings: Settings): Settings => ({
  ...settings,
  options: { ...settings.options, logger: { level: "silent", disabled: true } },
});

const databaseOf = ({ databaseUrl }: Configured, own: string | undefined): Examined["database"] => {
  if (databaseUrl) return "configured";
  if (own) return "embedded";
  return hasOwnDatabase() ? "embedded, stopped" : "none";
};

/** Reads the configuration whole, whatever is wrong with it, and starts nothing. */
export const readExamined = async (environment: Environment): Promise<Examined> => {
  const problems: string[] = [];
  const collect = createCollector(problems);
  const production = environment["NODE_ENV"] === "production";
  const bare = overlayEnvironment({}, environment) as Configured;
  const configured = await collect(readConfigured, { ...bare, tree: {}, production });
  const isOwnSecret = !configured.secret && !production;
  const kept = isOwnSecret ? await collect(findKeptSecret, undefined) : undefined;
  const own = configured.databaseUrl ? undefined : await collect(findOwnDatabase, undefined);
  const database = databaseOf(configured, own);
  // Outside production `npm start` makes the database that is missing.
  const standIn = own ?? (production && database === "none" ? undefined : anyDatabase);
  const tree = {
    ...configured.tree,
    ...(configured.databaseUrl || !standIn ? {} : { databaseUrl: standIn }),
    ...(kept ? { secret: [kept] } : {}),
  };
  const whole = await collect(() => readSettings(tree, environment), undefined);
  const { settings, leftOut } = whole
    ? { settings: whole, leftOut: new Set<string>() }
    : salvage(overlayEnvironment(tree, environment), environment);
  const secretFrom = configured.secret ? "configured" : kept ? "kept" : "nowhere";
  return { settings: silence(settings), production, problems, leftOut, secretFrom, database };
};

import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  basePathOf,
  ConfigurationError,
  loadConfigFile,
  overlayEnvironment,
  readSettings,
  type Settings,
  stopOnSignal,
} from "@latchkey/service-kit";
import { startEmbeddedPostgres } from "@latchkey/service-kit/embedded-postgres";
import { migrateAll, runAll } from "./run-all.ts";

// npm start: everything in one process, on a database of its own where none is configured.

const dataDirectory = join(process.cwd(), ".data");
const secretBytes = 32;

/** What was chosen for the operator, to be said at the end. */
const chosen: string[] = [];

/** The secret of this installation, made at the first start and kept. */
const keptSecret = async (): Promise<string> => {
  const path = join(dataDirectory, "secret");
  const kept = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error; // a secret that cannot be read must not be replaced: everything is sealed under it
  });
  if (kept) return kept.trim();
  const made = randomBytes(secretBytes).toString("base64url");
  await writeFile(path, `${made}\n`, { mode: 0o600, flag: "wx" });
  return made;
};

interface Parts {
  databaseUrl?: string;
  secret?: string[];
  redisUrl?: string;
  mail?: { smtpUrl?: string };
}

const describeStores = ({ options }: Settings, embedded: boolean): void => {
  const { databaseUrl = "", redisUrl, mail } = options;
  const { host, pathname } = new URL(databaseUrl);
  chosen.push(
    embedded
      ? `database   embedded Postgres on ${host}, data in .data/postgres (set DATABASE_URL for your own)`
      : `database   Postgres at ${host}${pathname}`,
    redisUrl
      ? `sessions   Redis at ${new URL(redisUrl).host}; limits and bus too`
      : "sessions   Postgres; limits in memory, bus in Postgres (set REDIS_URL to use Redis)",
    mail.smtpUrl
      ? `mail       SMTP at ${new URL(mail.smtpUrl).host}`
      : "mail       captured: each mail is printed here (set SMTP_URL to send)",
  );
};

const describeTrial = (url: string): string => `
Try it:
  curl -i ${url}/sign-up/email -H 'content-type: application/json' \\
    -d '{"name":"Ada","email":"ada@example.com","password":"correct horse"}'
  curl ${url}/ok
Ctrl-C stops everything.
`;

/** What runs, in the order in which it was started; ended in the other one. */
const started: { stop(): Promise<void> }[] = [];

const stopAll = async (): Promise<void> => {
  for (const part of started.toReversed()) await part.stop();
};

/** The settings of this installation: what is configured, and where nothing is, a secret and a database of its own. */
const chooseSettings = async (): Promise<Settings> => {
  const production = process.env["NODE_ENV"] === "production";
  const tree = await loadConfigFile(process.env, process.cwd());
  const configured = overlayEnvironment(tree, process.env) as Parts;
  await mkdir(dataDirectory, { recursive: true });
  const secret = configured.secret ?? (production ? undefined : [await keptSecret()]);
  if (!configured.secret && secret) chosen.push("secret     made by us and kept in .data/secret");
  let { databaseUrl } = configured;
  if (!databaseUrl) {
    const directory = join(dataDirectory, "postgres");
    const embedded = await startEmbeddedPostgres({ directory, durable: true });
    started.push(embedded);
    databaseUrl = embedded.url;
  }
  const settings = readSettings(
    { ...tree, databaseUrl, ...(secret ? { secret } : {}) },
    process.env,
  );
  describeStores(settings, !configured.databaseUrl);
  return settings;
};

const start = async (): Promise<void> => {
  const begun = performance.now();
  const settings = await chooseSettings();
  await migrateAll(settings);
  const running = await runAll(settings);
  started.push(running);
  const { baseURL } = settings.options;
  const origin = baseURL ? new URL(baseURL).origin : running.url.replace("127.0.0.1", "localhost");
  const url = origin + basePathOf(settings.options);
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  process.stdout.write(
    `Latchkey answers at ${url} (${seconds} s)\n  ${chosen.join("\n  ")}\n${describeTrial(url)}`,
  );
};

stopOnSignal(stopAll);
try {
  await start();
} catch (error) {
  await stopAll();
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

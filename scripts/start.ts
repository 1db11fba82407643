import { redisHosts } from "@latchkey/contracts";
import { findAdminWeb } from "@latchkey/gateway/commands";
import { openFirstRun } from "@latchkey/identity/commands";
import { basePathOf, ConfigurationError, type Settings, stopOnSignal } from "@latchkey/service-kit";
import { keepAdminWebBuilt } from "./admin-web/build-admin-web.ts";
import { openInstallation } from "./installation.ts";
import { migrateAll, runAll } from "./run-all.ts";

// npm start: everything in one process, on a database of its own where none is configured.

/** What was chosen for the operator, to be said at the end. */
const chosen: string[] = [];

const describeStores = ({ options }: Settings, embedded: boolean): void => {
  const { databaseUrl = "", redisUrl, mail } = options;
  const { host, pathname } = new URL(databaseUrl);
  chosen.push(
    embedded
      ? `database   embedded Postgres on ${host}, data in .data/postgres (set DATABASE_URL for your own)`
      : `database   Postgres at ${host}${pathname}`,
    redisUrl
      ? `sessions   Redis at ${redisHosts(redisUrl)}; limits and bus too`
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

/**
 * Where the first admin is made, while there is none; good once, for an hour. The token is in the fragment, which browsers send
 * nowhere.
 */
const describeFirstRun = async (settings: Settings, origin: string): Promise<string> => {
  const path = findAdminWeb(settings);
  const token = path === undefined ? undefined : await openFirstRun(settings);
  const page = `${origin}${path}/first-run`;
  return token ? `\nFirst admin: ${page}#token=${token}\n` : "";
};

/** What runs, in the order in which it was started; ended in the other one. */
const started: { stop(): Promise<void> }[] = [];

const stopAll = async (): Promise<void> => {
  for (const part of started.toReversed()) await part.stop();
};

const start = async (): Promise<void> => {
  const begun = performance.now();
  const installation = await openInstallation("server");
  started.push(installation);
  const { settings, isEmbedded, isSecretKept } = installation;
  if (isSecretKept) chosen.push("secret     made by us and kept in .data/secret");
  describeStores(settings, isEmbedded);
  const hasWeb = findAdminWeb(settings) !== undefined;
  await Promise.all([migrateAll(settings), hasWeb ? keepAdminWebBuilt() : undefined]);
  const running = await runAll(settings);
  started.push(running);
  const { baseURL } = settings.options;
  const origin = baseURL ? new URL(baseURL).origin : running.url.replace("127.0.0.1", "localhost");
  const url = origin + basePathOf(settings.options);
  const firstRun = await describeFirstRun(settings, origin);
  const seconds = ((performance.now() - begun) / 1000).toFixed(2);
  process.stdout.write(
    `Latchkey answers at ${url} (${seconds} s)\n  ${chosen.join("\n  ")}\n${firstRun}${describeTrial(url)}`,
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

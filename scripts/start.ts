import { findAdminWeb } from "@latchkey/gateway/commands";
import { basePathOf, ConfigurationError, stopOnSignal } from "@latchkey/service-kit";
import { keepAdminWebBuilt } from "./admin-web/build-admin-web.ts";
import { describeFirstRun } from "./describe-first-run.ts";
import { describeStores } from "./describe-stores.ts";
import { openInstallation } from "./installation.ts";
import { migrateAll, runAll } from "./run-all.ts";

// npm start: everything in one process, on a database of its own where none is configured.

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

const start = async (): Promise<void> => {
  const begun = performance.now();
  const installation = await openInstallation("server");
  started.push(installation);
  const { settings } = installation;
  const chosen = describeStores(installation, "memory");
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

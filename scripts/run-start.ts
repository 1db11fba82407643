import { findAdminWeb } from "@latchkey/gateway/commands";
import { basePathOf, ConfigurationError, stopOnSignal } from "@latchkey/service-kit";
import { keepAdminWebBuilt } from "./admin-web/build-admin-web.ts";
import { describeFirstRun } from "./describe-first-run.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { migrateAll } from "./run-all.ts";

/** What runs once it has started. */
export interface Started {
  /** Where the public door is, unless the options name a base URL. */
  origin: string;
  /** What is said of it. */
  lines: readonly string[];
  /** What may be tried at the base URL. */
  trial?: (url: string) => string;
  stop(): Promise<void>;
}

/**
 * Runs a command that starts everything: `plan` reads its arguments, and gives what starts the services of an installation whose
 * schemas and admin web are up to date. All ends at a signal, or when a part does not start, the last first; what is wrong with
 * the configuration is said, and nothing more.
 */
export const runStart = async (
  plan: () => (installation: Installation) => Promise<Started>,
): Promise<void> => {
  const parts: { stop(): Promise<void> }[] = [];
  const stopAll = async () => {
    for (const part of parts.toReversed()) await part.stop();
  };
  const start = async () => {
    const begun = performance.now();
    const run = plan();
    const installation = await openInstallation("server");
    parts.push(installation);
    const { settings } = installation;
    const hasWeb = findAdminWeb(settings) !== undefined;
    await Promise.all([migrateAll(settings), hasWeb ? keepAdminWebBuilt() : undefined]);
    const started = await run(installation);
    parts.push(started);
    const { baseURL } = settings.options;
    const origin = baseURL ? new URL(baseURL).origin : started.origin;
    const url = origin + basePathOf(settings.options);
    const firstRun = await describeFirstRun(settings, origin);
    const seconds = ((performance.now() - begun) / 1000).toFixed(2);
    const trial = started.trial?.(url) ?? "";
    process.stdout.write(
      `Latchkey answers at ${url} (${seconds} s)\n  ${started.lines.join("\n  ")}\n${firstRun}${trial}Ctrl-C stops everything.\n`,
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
};

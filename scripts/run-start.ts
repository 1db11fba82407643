import { findAdminWeb } from "@latchkey/gateway/commands";
import { basePathOf, stopOnSignal } from "@latchkey/service-kit";
import { keepAdminWebBuilt } from "./admin-web/build-admin-web.ts";
import { explainFailure } from "./commands/explain-failure.ts";
import { describeFirstRun } from "./describe-first-run.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { requireStores } from "./require-stores.ts";
import { migrateAll } from "./run-all.ts";

/** A started installation. */
export interface Started {
  /** The origin of the gateway, unless the options set a base URL. */
  origin: string;
  /** The lines to print. */
  lines: readonly string[];
  /** Returns a hint on what to try at the base URL. */
  trial?: (url: string) => string;
  stop(): Promise<void>;
}

/**
 * Runs a command that starts everything. `plan` reads its arguments and returns the function that starts the services, once schemas and
 * admin web are current. On a signal or a failed start all parts stop in reverse order. A failure is explained to the operator.
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
    await requireStores(settings, installation.ownData !== undefined);
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
    await stopAll().catch(() => {});
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exit(1); // does not wait for pending connections
  }
};

import { keepWebsBuilt, webNames } from "@latchkey/ui/build";
import { explainFailure } from "@latchkey/cli/explain-failure";
import { migrateAll } from "@latchkey/cli/migrate-all";
import { type Installation, openInstallation } from "@latchkey/cli/open-installation";
import { requireStores } from "@latchkey/cli/require-stores";
import { findWeb } from "@latchkey/gateway/commands";
import { openFirstRun } from "@latchkey/identity/commands";
import { basePathOf, findMisspelled, type Settings } from "@latchkey/service-kit/config";
import { finishStart, stopOnSignal } from "@latchkey/service-kit/run";

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
 * Returns the link for creating the first admin, if there is none. The link works once and for an hour. The token is in the fragment, which
 * browsers do not send to servers.
 */
const describeFirstRun = async (settings: Settings, origin: string): Promise<string> => {
  const path = findWeb("admin", settings);
  const token = path === undefined ? undefined : await openFirstRun(settings);
  const page = `${origin}${path}/first-run`;
  const { admin, twoFactor } = settings.options;
  const isRequired =
    twoFactor.required.everyone || twoFactor.required.roles.includes(admin.adminRoles[0] ?? "");
  const warning =
    twoFactor.enabled && !isRequired
      ? "It creates an admin without a second factor. Turn that on in the account page.\n"
      : "";
  return token ? `\nFirst admin: ${page}#token=${token}\n${warning}` : "";
};

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
    for (const problem of findMisspelled(process.env)) process.stderr.write(`${problem}\n`);
    await requireStores(settings, installation.ownData !== undefined);
    const webs = webNames.filter((name) => findWeb(name, settings) !== undefined);
    await Promise.all([migrateAll(settings), keepWebsBuilt(webs)]);
    const started = await run(installation);
    parts.push(started);
    const { baseURL } = settings.options;
    const origin = baseURL ? new URL(baseURL).origin : started.origin;
    const url = origin + basePathOf(settings.options);
    const firstRun = await describeFirstRun(settings, origin);
    const seconds = ((performance.now() - begun) / 1000).toFixed(2);
    const account = findWeb("account", settings);
    const signIn = account === undefined ? "" : `Sign in or sign up at ${origin}${account}\n`;
    const trial = started.trial?.(url) ?? "";
    process.stdout.write(
      `${signIn}Latchkey answers at ${url} (${seconds} s)\n  ${started.lines.join("\n  ")}\n${firstRun}${trial}Ctrl-C stops everything.\n`,
    );
    finishStart();
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

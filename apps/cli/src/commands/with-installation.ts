import type { ServiceName } from "@latchkey/contracts";
import { ConfigurationError } from "@latchkey/service-kit/config";
import {
  type Installation,
  openInstallation,
  shownData,
} from "../installation/open-installation.ts";
import { migrateAll, pendingAll } from "../installation/migrate-all.ts";
import { requireStores } from "../doctor/require-stores.ts";
import { Refusal } from "../terminal/refusal.ts";
import { UsageError } from "./usage-error.ts";

/** Returns whether an error already says what to do. */
const isExplained = (error: unknown): boolean =>
  error instanceof Refusal || error instanceof UsageError || error instanceof ConfigurationError;

/**
 * Calls `work` with the configured database, or the one of this folder, whether `npm start` runs or not. Commands for some services need
 * only the databases of those.
 */
export const withInstallation = async <T>(
  work: (installation: Installation) => Promise<T>,
  services?: readonly ServiceName[],
): Promise<T> => {
  const installation = await openInstallation("guest", services);
  if (installation.ownData)
    process.stderr.write(
      `No DATABASE_URL: using the embedded Postgres of ${shownData("postgres")}.\n`,
    );
  try {
    return await work(installation);
  } catch (error) {
    if (!isExplained(error))
      await requireStores(installation.settings, installation.ownData !== undefined);
    throw error;
  } finally {
    await installation.stop();
  }
};

/** Does the same after a check that the schemas of some services are current. */
export const withSchemas = <T>(
  names: readonly ServiceName[],
  work: (installation: Installation) => Promise<T>,
): Promise<T> =>
  withInstallation(async (installation) => {
    const { ownData, settings } = installation;
    // A database of this folder is migrated as by `npm start`. Any other database is migrated only by its operator.
    if (ownData) await migrateAll(settings);
    else {
      const pending = await pendingAll(settings, names);
      if (names.some((name) => pending[name]?.length))
        throw new Refusal("the database is not up to date. Run `npx latchkey migrate` first.");
    }
    return work(installation);
  }, names);

/** Does the same for the schema of identity. */
export const withIdentity = <T>(work: (installation: Installation) => Promise<T>): Promise<T> =>
  withSchemas(["identity"], work);

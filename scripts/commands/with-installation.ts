import type { ServiceName } from "@latchkey/contracts";
import { type Installation, openInstallation } from "../installation.ts";
import { migrateAll, pendingAll } from "../run-all.ts";
import { Refusal } from "./refusal.ts";

/**
 * Does `work` with the database that is configured, or with that of this folder, whether npm start runs or not. What is about
 * some services alone needs no database but theirs.
 */
export const withInstallation = async <T>(
  work: (installation: Installation) => Promise<T>,
  services?: readonly ServiceName[],
): Promise<T> => {
  const installation = await openInstallation("guest", services);
  if (installation.isEmbedded)
    process.stderr.write("No DATABASE_URL: using the embedded Postgres of .data/postgres.\n");
  try {
    return await work(installation);
  } finally {
    await installation.stop();
  }
};

/** The same, once the tables of some services are known to be as this version needs them. */
export const withSchemas = <T>(
  names: readonly ServiceName[],
  work: (installation: Installation) => Promise<T>,
): Promise<T> =>
  withInstallation(async (installation) => {
    const { isEmbedded, settings } = installation;
    // A database of ours is brought up to date as npm start does it; another one when its operator says so.
    if (isEmbedded) await migrateAll(settings);
    else {
      const pending = await pendingAll(settings, names);
      if (names.some((name) => pending[name]?.length))
        throw new Refusal("the database is not up to date. Run `npx latchkey migrate` first.");
    }
    return work(installation);
  }, names);

/** The same for the tables of identity. */
export const withIdentity = <T>(work: (installation: Installation) => Promise<T>): Promise<T> =>
  withSchemas(["identity"], work);

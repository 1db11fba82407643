import type { Deps } from "./deps.ts";

/** Leaves every store and service that the dependencies hold open. */
export const closeDeps = async ({
  bus,
  db,
  identity,
}: Pick<Deps, "bus" | "db" | "identity">): Promise<void> => {
  await bus.close();
  await identity.close();
  await db.destroy();
};

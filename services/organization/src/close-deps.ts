import type { Deps } from "./deps.ts";

/** Closes the connections to every store and service. */
export const closeDeps = async ({
  bus,
  db,
  identity,
}: Pick<Deps, "bus" | "db" | "identity">): Promise<void> => {
  await bus.close();
  await identity.close();
  await db.destroy();
};

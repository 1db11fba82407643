import type { Deps } from "./deps.ts";

/** Leaves every store that the dependencies hold open. */
export const closeDeps = async ({
  bus,
  redis,
  db,
}: Pick<Deps, "bus" | "redis" | "db">): Promise<void> => {
  await bus.close();
  redis?.disconnect();
  await db.destroy();
};

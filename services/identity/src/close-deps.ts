import type { Deps } from "./deps.ts";

/** Leaves every store that the dependencies hold open. */
export const closeDeps = async ({
  bus,
  outbound,
  redis,
  db,
}: Pick<Deps, "bus" | "outbound" | "redis" | "db">): Promise<void> => {
  await bus.close();
  await outbound.close();
  redis?.disconnect();
  await db.destroy();
};

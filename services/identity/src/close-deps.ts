import type { Deps } from "./deps.ts";

/** Closes every open store of the dependencies. */
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

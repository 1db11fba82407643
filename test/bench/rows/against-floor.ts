import type { Bench } from "../harness/bench.ts";
import type { Stores } from "../harness/open-stores.ts";
import type { Child } from "../harness/child.ts";
import { compare, type Comparison, type Side } from "../harness/compare.ts";
import { type Load, runLoad } from "../harness/load.ts";
import { seedPostgres, seedRedis } from "../harness/seed.ts";
import type { StackInput } from "../harness/stack-settings.ts";
import { floorModule, stackModule, withChildren } from "../harness/with-children.ts";

export type Where = "postgres" | "redis";

/** The request for both, and the check of its answer. */
type Asked = Pick<Load, "next" | "accepts">;

/** Creates users with a session each. */
export const seedSessions = async (where: Where, stores: Stores): Promise<void> => {
  await seedPostgres(stores.databaseUrl);
  if (where === "redis") await seedRedis(stores);
};

const startSide = async (
  child: Child,
  input: StackInput,
  load: Omit<Load, "url">,
): Promise<Side> => {
  const url = await child.call<string>("start", input);
  return { child, run: (seconds) => runLoad({ ...load, url }, seconds) };
};

/**
 * Compares the system with the floor on the same store with many sessions. Rate limits are off, and both get the same requests in
 * turn.
 */
export const compareWithFloor = (bench: Bench, where: Where, asked: Asked): Promise<Comparison> =>
  bench.withStores(async (stores) => {
    await seedSessions(where, stores);
    const input = stores.stackInput(where);
    const load = { ...asked, connections: bench.options.connections };
    return withChildren({ ours: stackModule, floor: floorModule }, async (children) => {
      const ours = await startSide(children.ours, input, load);
      const floor = await startSide(children.floor, input, load);
      return compare(bench, { ours, floor });
    });
  });

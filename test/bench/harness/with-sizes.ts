import type { Bench } from "./bench.ts";
import type { Child } from "./child.ts";
import type { KeptStores } from "./kept-stores.ts";
import type { Line } from "./row.ts";
import { stackModule, withChildren } from "./with-children.ts";

/** Numbers of rows and how to create them. `seed` returns the data that requests need. */
export interface Sizes<Seeded> {
  what: string;
  /** Rows of the table with the same context share the seeded data. */
  context: string;
  few: number;
  many: number;
  seed(stores: KeptStores, count: number): Promise<Seeded>;
}

/** A stack over this number of rows. */
export interface Side<Seeded> {
  /** URL of the gateway. */
  url: string;
  child: Child;
  count: number;
  seeded: Seeded;
}

/** Calls `measure` with two stacks on Postgres, one over few rows and one over many. */
export const withSizes = async <Seeded>(
  bench: Bench,
  { what, context, few, many, seed }: Sizes<Seeded>,
  measure: (sides: { many: Side<Seeded>; few: Side<Seeded> }) => Promise<Line[]>,
): Promise<Line[]> => {
  const seedWith = async (count: number) => {
    const stores = await bench.keepStores(context, count);
    const begun = performance.now();
    const seeded = await seed(stores, count);
    bench.say(`  ${count} ${what} in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    return { stores, count, seeded };
  };
  const ofFew = await seedWith(few);
  const ofMany = await seedWith(many);
  return withChildren({ few: stackModule, many: stackModule }, async (children) => {
    const start = async (child: Child, { stores, ...side }: typeof ofFew) => ({
      url: await child.call<string>("start", stores.stackInput("postgres")),
      child,
      ...side,
    });
    return measure({
      few: await start(children.few, ofFew),
      many: await start(children.many, ofMany),
    });
  });
};

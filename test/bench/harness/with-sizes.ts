import type { Bench, Stores } from "./bench.ts";
import type { Child } from "./child.ts";
import type { Line } from "./row.ts";
import { stackModule, withChildren } from "./with-children.ts";

/** How many rows of what, and how they come into a database; what `seed` gives is what there is to ask about. */
export interface Sizes<Seeded> {
  what: string;
  few: number;
  many: number;
  seed(databaseUrl: string, count: number): Promise<Seeded>;
}

/** A stack over so many rows. */
export interface Side<Seeded> {
  /** Of the gateway. */
  url: string;
  child: Child;
  count: number;
  seeded: Seeded;
}

/** Gives `measure` two stacks on Postgres, one over few rows and one over many. */
export const withSizes = <Seeded>(
  bench: Bench,
  { what, few, many, seed }: Sizes<Seeded>,
  measure: (sides: { many: Side<Seeded>; few: Side<Seeded> }) => Promise<Line[]>,
): Promise<Line[]> => {
  const seedWith = async (databaseUrl: string, count: number): Promise<Seeded> => {
    const begun = performance.now();
    const seeded = await seed(databaseUrl, count);
    bench.say(`  ${count} ${what} in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    return seeded;
  };
  return bench.withStores((fewStores) =>
    bench.withStores(async (manyStores) => {
      const ofFew = await seedWith(fewStores.databaseUrl, few);
      const ofMany = await seedWith(manyStores.databaseUrl, many);
      return withChildren({ few: stackModule, many: stackModule }, async (children) => {
        const start = async (child: Child, stores: Stores) => ({
          url: await child.ask<string>("start", stores.stackInput("postgres")),
          child,
        });
        return measure({
          few: { ...(await start(children.few, fewStores)), count: few, seeded: ofFew },
          many: { ...(await start(children.many, manyStores)), count: many, seeded: ofMany },
        });
      });
    }),
  );
};

import type { Bench } from "./bench.ts";
import type { Child } from "./child.ts";
import type { KeptStores } from "./kept-stores.ts";
import type { Line } from "./row.ts";
import { stackModule, withChildren } from "./with-children.ts";

/** How many rows of what, and how they come into a database; what `seed` gives is what there is to ask about. */
export interface Sizes<Seeded> {
  what: string;
  /** Rows of the table that name the same one share what was seeded. */
  ground: string;
  few: number;
  many: number;
  seed(stores: KeptStores, count: number): Promise<Seeded>;
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
export const withSizes = async <Seeded>(
  bench: Bench,
  { what, ground, few, many, seed }: Sizes<Seeded>,
  measure: (sides: { many: Side<Seeded>; few: Side<Seeded> }) => Promise<Line[]>,
): Promise<Line[]> => {
  const seedWith = async (count: number) => {
    const stores = await bench.keepStores(ground, count);
    const begun = performance.now();
    const seeded = await seed(stores, count);
    bench.say(`  ${count} ${what} in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    return { stores, count, seeded };
  };
  const ofFew = await seedWith(few);
  const ofMany = await seedWith(many);
  return withChildren({ few: stackModule, many: stackModule }, async (children) => {
    const start = async (child: Child, { stores, ...side }: typeof ofFew) => ({
      url: await child.ask<string>("start", stores.stackInput("postgres")),
      child,
      ...side,
    });
    return measure({
      few: await start(children.few, ofFew),
      many: await start(children.many, ofMany),
    });
  });
};

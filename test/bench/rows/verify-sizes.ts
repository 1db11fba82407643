import type { Bench, Stores } from "../harness/bench.ts";
import type { Child } from "../harness/child.ts";
import { compareSizes, type SizedSide } from "../harness/compare-sizes.ts";
import type { Row } from "../harness/row.ts";
import { seedKeys } from "../harness/seed-keys.ts";
import { verifyRequest } from "../harness/verify-requests.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";

const fewKeys = 10_000;
const manyKeys = 1_000_000;
/** As many of either size, so that as many are warm. */
const asked = 10_000;

const seed = async (bench: Bench, { databaseUrl }: Stores, count: number): Promise<void> => {
  const begun = performance.now();
  await seedKeys(databaseUrl, count);
  bench.say(`  ${count} keys in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
};

/** What a verification costs among a million keys, against ten thousand. */
export const verifySizes: Row = {
  name: "verify-sizes",
  measure: (bench) =>
    bench.withStores((fewStores) =>
      bench.withStores(async (manyStores) => {
        await seed(bench, fewStores, fewKeys);
        await seed(bench, manyStores, manyKeys);
        const modules = { ofFew: stackModule, ofMany: stackModule };
        return withChildren(modules, async ({ ofFew, ofMany }) => {
          const start = async (child: Child, stores: Stores, count: number): Promise<SizedSide> => {
            await child.ask("start", stores.stackInput("postgres"));
            const anyKey = () => 1 + Math.floor(Math.random() * count);
            return {
              url: await child.ask<string>("urlOf", "apikey"),
              requests: Array.from({ length: asked }, () => verifyRequest(anyKey())),
            };
          };
          const line = await compareSizes(bench, {
            path: "POST /internal/api-key/verify",
            many: await start(ofMany, manyStores, manyKeys),
            few: await start(ofFew, fewStores, fewKeys),
            judgedShare: 0.5,
          });
          return [line];
        });
      }),
    ),
};

import type { Bench } from "../harness/bench.ts";
import { compare, type Comparison, type Side } from "../harness/compare.ts";
import { runLoad } from "../harness/load.ts";
import { seedKeys } from "../harness/seed-keys.ts";
import { verifyRequest } from "../harness/verify-requests.ts";
import { stackModule, verifyFloorModule, withChildren } from "../harness/with-children.ts";
import type { Where } from "./against-floor.ts";

/** Verifies random keys, compared with the floor on the same keys. `where` is the store of the bus and sessions. */
export const compareVerifications = (
  bench: Bench,
  { where, keys }: { where: Where; keys: number },
): Promise<Comparison> =>
  bench.withStores(async (stores) => {
    await seedKeys(stores.databaseUrl, keys);
    const requests = Array.from({ length: keys }, (_, index) => verifyRequest(index + 1));
    const sideOf = (child: Side["child"], url: string): Side => {
      const load = {
        url,
        connections: bench.options.connections,
        // The list is never empty.
        next: () => requests[Math.floor(Math.random() * keys)] as Buffer,
        accepts: ({ status, body }: { status: number; body: Buffer }) =>
          status === 200 && body.includes('"valid":true'),
      };
      return { child, run: (seconds) => runLoad(load, seconds) };
    };
    return withChildren({ ours: stackModule, floor: verifyFloorModule }, async (children) => {
      await children.ours.call("start", stores.stackInput(where));
      return compare(bench, {
        ours: sideOf(children.ours, await children.ours.call<string>("urlOf", "apikey")),
        floor: sideOf(
          children.floor,
          await children.floor.call<string>("start", stores.databaseUrl),
        ),
      });
    });
  });

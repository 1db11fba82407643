import { type Bench, withManyRounds } from "../harness/bench.ts";
import { compare, type Side } from "../harness/compare.ts";
import { runLoad } from "../harness/load.ts";
import { cpuLine } from "../harness/ratio-lines.ts";
import { getSessionRequests } from "../harness/requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";
import { seedSessions, type Where } from "./against-floor.ts";

/** On a busy machine, two identical processes differ by 4 %. The bound is more than twice that. */
const noise = 1.1;

const roundParts = 4;

const measureOn = (bench: Bench, where: Where): Promise<Line> =>
  bench.withStores(async (stores) => {
    await seedSessions(where, stores);
    return withChildren({ on: stackModule, off: stackModule }, async ({ on, off }) => {
      const { connections } = bench.options;
      const next = getSessionRequests();
      const start = async (child: Side["child"], signInFeatures: boolean): Promise<Side> => {
        const input = { ...stores.stackInput(where), signInFeatures };
        const url = await child.call<string>("start", input);
        const accepts = ({ status, body }: { status: number; body: Buffer }) =>
          status === 200 && body.includes("@example.com");
        return {
          child,
          run: (seconds) => runLoad({ url, connections, next, accepts }, seconds),
        };
      };
      const sides = { ours: await start(on, true), floor: await start(off, false) };
      const path = `GET /get-session, sign-in features on, ${where}`;
      return cpuLine(path, await compare(withManyRounds(bench, roundParts), sides), noise);
    });
  });

/** get-session with second factors, passkeys, links and codes on. The floor is the same with all of them off. */
export const getSessionSignInFeatures: Row = {
  name: "get-session-sign-in-features",
  measure: async (bench) => [await measureOn(bench, "postgres"), await measureOn(bench, "redis")],
};

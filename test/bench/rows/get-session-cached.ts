import { until } from "../../../libs/testkit/src/until.ts";
import { compare, type Comparison, type Side } from "../harness/compare.ts";
import { connectKeepAlive } from "../harness/keep-alive-client.ts";
import { type Load, runLoad } from "../harness/load.ts";
import { cachedGetSessionRequests } from "../harness/requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { cachedFloorModule, stackModule, withChildren } from "../harness/with-children.ts";

const throughputMin = 0.6;

const lineOf = ({ ours, floor, throughputRatio }: Comparison): Line => ({
  path: "GET /get-session, cookie cache: throughput",
  ours: `${ours.perSecond.toFixed(0)}/s`,
  floor: `${floor.perSecond.toFixed(0)}/s`,
  ratio: throughputRatio.toFixed(2),
  budget: `>= ${throughputMin}`,
  met: throughputRatio >= throughputMin,
});

/** A gateway answers from cookies once it has heard of the revocations of the last minutes. */
const untilAnswers = async ({ url, next, accepts }: Load): Promise<void> => {
  const client = await connectKeepAlive(new URL(url));
  await until(async () => accepts(await client.send(next())), { describe: "a cached answer" });
  client.close();
};

/** get-session from the cookie alone: what it shows is in no store. */
export const getSessionCached: Row = {
  name: "get-session-cached",
  measure: (bench) =>
    bench.withStores((stores) =>
      withChildren({ stack: stackModule, floor: cachedFloorModule }, async ({ stack, floor }) => {
        const next = cachedGetSessionRequests();
        const { connections } = bench.options;
        const accepts = ({ status, body }: { status: number; body: Buffer }) =>
          status === 200 && body.includes("@example.com");
        const sideOf = async (child: Side["child"], url: string): Promise<Side> => {
          const load = { url, connections, next, accepts };
          await untilAnswers(load);
          return { child, run: (seconds) => runLoad(load, seconds) };
        };
        const input = { ...stores.stackInput("postgres"), cookieCache: true };
        const ours = await sideOf(stack, await stack.ask<string>("start", input));
        const bare = await sideOf(floor, await floor.ask<string>("start"));
        return [lineOf(await compare(bench, { ours, floor: bare }))];
      }),
    ),
};

import { until } from "../../../libs/testkit/src/until.ts";
import { compare, type Side } from "../harness/compare.ts";
import { connectKeepAlive } from "../harness/keep-alive-client.ts";
import { type Load, runLoad } from "../harness/load.ts";
import { throughputLine } from "../harness/ratio-lines.ts";
import { cachedGetSessionRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { cachedFloorModule, stackModule, withChildren } from "../harness/with-children.ts";

const throughputMin = 0.8;

/** A gateway answers from cookies only after it has read the revocations of the last minutes. */
const untilAnswers = async ({ url, next, accepts }: Load): Promise<void> => {
  const client = await connectKeepAlive(new URL(url));
  await until(async () => accepts(await client.send(next())), { describe: "a cached answer" });
  client.close();
};

/** get-session from the cookie alone. The session is in no store. */
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
        const comparison = await compare(bench, { ours, floor: bare });
        return [throughputLine("GET /get-session, cookie cache", comparison, throughputMin)];
      }),
    ),
};

import { runLoad } from "../harness/load.ts";
import { getSessionRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { seedSignIns, signInLoad } from "../harness/sign-in-load.ts";
import { quantile } from "../harness/statistics.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";

const p99Max = 100;
const connections = 4;

const millisecondsOf = async (url: string, seconds: number): Promise<number[]> => {
  const { latencies } = await runLoad(
    { url, connections, next: getSessionRequests(), accepts: ({ status }) => status === 200 },
    seconds,
  );
  return latencies;
};

/** Latency of get-session while sign-ins keep the hash pool full. The floor is the latency without them. */
export const getSessionDuringSignIns: Row = {
  name: "get-session-during-sign-ins",
  measure: (bench) =>
    bench.withStores(async (stores) => {
      await seedSignIns(stores.databaseUrl);
      return withChildren({ stack: stackModule }, async ({ stack }) => {
        const url = await stack.call<string>("start", stores.stackInput("postgres"));
        const seconds = bench.options.roundSeconds * 2;
        await millisecondsOf(url, bench.options.warmUpSeconds);
        const alone = quantile(await millisecondsOf(url, seconds), 0.99);
        const [among, signIns] = await Promise.all([
          millisecondsOf(url, seconds),
          runLoad(signInLoad(url), seconds),
        ]);
        const p99 = quantile(among, 0.99);
        bench.say(
          `  ${(among.length / seconds).toFixed(0)} reads/s beside ${(signIns.count / signIns.seconds).toFixed(1)} sign-ins/s`,
        );
        return [
          {
            path: "GET /get-session, p99 while sign-ins saturate",
            ours: `${p99.toFixed(1)} ms`,
            floor: `${alone.toFixed(1)} ms alone`,
            ratio: (p99 / alone).toFixed(2),
            budget: `<= ${p99Max} ms`,
            met: p99 <= p99Max,
          },
        ];
      });
    }),
};

import type { Bench } from "../harness/bench.ts";
import { compare, type Side } from "../harness/compare.ts";
import { type Load, runLoad } from "../harness/load.ts";
import { cpuLine } from "../harness/ratio-lines.ts";
import { bearerGetSessionRequests, getSessionRequests } from "../harness/requests.ts";
import type { Line, Row } from "../harness/row.ts";
import { stackModule, withChildren } from "../harness/with-children.ts";
import { seedSessions, type Where } from "./against-floor.ts";

const cpuMax = 1.5;

const clients = {
  "bearer token": bearerGetSessionRequests,
  "cookie without a copy": getSessionRequests,
} as const;

const accepts: Load["accepts"] = ({ status, body }) =>
  status === 200 && body.includes("@example.com");

const measureOn = (bench: Bench, where: Where): Promise<Line[]> =>
  bench.withStores(async (stores) => {
    await seedSessions(where, stores);
    return withChildren({ on: stackModule, off: stackModule }, async ({ on, off }) => {
      const start = async (child: Side["child"], cookieCache: boolean) => ({
        child,
        url: await child.call<string>("start", { ...stores.stackInput(where), cookieCache }),
      });
      const [withCache, without] = [await start(on, true), await start(off, false)];
      const lines: Line[] = [];
      for (const [client, requests] of Object.entries(clients)) {
        const path = `GET /get-session, cookie cache on, ${client}, ${where}`;
        if (!bench.options.measures(path)) continue;
        const { connections } = bench.options;
        const next = requests();
        const sideOf = ({ child, url }: typeof without): Side => ({
          child,
          run: (seconds) => runLoad({ url, connections, next, accepts }, seconds),
        });
        const sides = { ours: sideOf(withCache), floor: sideOf(without) };
        lines.push(cpuLine(path, await compare(bench, sides), cpuMax));
      }
      return lines;
    });
  });

/** get-session from the store although the cookie cache is on. The floor is the same with the cache off. */
export const getSessionWithoutCache: Row = {
  name: "get-session-without-cache",
  measure: async (bench) => [
    ...(await measureOn(bench, "postgres")),
    ...(await measureOn(bench, "redis")),
  ],
};

import { until } from "../../../libs/testkit/src/until.ts";
import { compare, type Side } from "../harness/compare.ts";
import { connectKeepAlive } from "../harness/keep-alive-client.ts";
import { type Load, runLoad } from "../harness/load.ts";
import { throughputLine } from "../harness/ratio-lines.ts";
import { cachedGetSessionRequests } from "../harness/requests.ts";
import type { Row } from "../harness/row.ts";
import { cachedFloorModule, stackModule, withChildren } from "../harness/with-children.ts";

const throughputMin = 0.8;

const tokenIn = (request: Buffer): string => {
  const [, token] = /session_token=([^.]+)\./.exec(request.toString()) ?? [];
  if (!token) throw new Error("a request without a session");
  return token;
};

/** A gateway answers from cookies only after it has read the revocations of the last minutes. */
const untilAnswers = async ({ url, next }: Load): Promise<void> => {
  const client = await connectKeepAlive(new URL(url));
  const request = next();
  await until(async () => (await client.send(request)).body.includes(tokenIn(request)), {
    describe: "the answer of the session",
  });
  client.close();
};

/** get-session from the cookie alone. The session is in no store. */
export const getSessionCached: Row = {
  name: "get-session-cached",
  measure: (bench) =>
    bench.withStores((stores) =>
      withChildren(
        { stack: stackModule, floor: cachedFloorModule, same: cachedFloorModule },
        async ({ stack, floor, same }) => {
          const next = cachedGetSessionRequests();
          const { connections } = bench.options;
          const accepts = ({ status, body }: { status: number; body: Buffer }) =>
            status === 200 && body.includes("@example.com");
          const sideOf = (child: Side["child"], load: Load): Side => ({
            child,
            run: (seconds) => runLoad(load, seconds),
          });
          const loadOf = (url: string): Load => ({ url, connections, next, accepts });
          const input = { ...stores.stackInput("postgres"), cookieCache: true };
          const ourLoad = loadOf(await stack.call<string>("start", input));
          const ownLoad = loadOf(await floor.call<string>("start", { isSame: false }));
          const sameLoad = loadOf(await same.call<string>("start", { isSame: true }));
          for (const load of [ourLoad, ownLoad]) await untilAnswers(load);
          const ours = sideOf(stack, ourLoad);
          const own = await compare(bench, { ours, floor: sideOf(floor, ownLoad) });
          const constant = await compare(bench, { ours, floor: sideOf(same, sameLoad) });
          const path = "GET /get-session, cookie cache";
          return [
            throughputLine(path, own, throughputMin),
            throughputLine(`${path}, floor with the same answer for all`, constant),
          ];
        },
      ),
    ),
};

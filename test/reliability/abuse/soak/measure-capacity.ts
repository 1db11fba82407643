import { anyKind, createAskings, isRight } from "../../../bench/harness/mixed-load.ts";
import { connectKeepAlive } from "../../../bench/harness/keep-alive-client.ts";
import { until } from "../../../../libs/testkit/src/until.ts";

const connections = 16;
const cacheMs = 120_000;

/** Returns answers per second for connections that each send the next request as soon as they have an answer. */
export const measureCapacity = async (
  addresses: Record<"gateway" | "apikey", string>,
  seconds: number,
): Promise<number> => {
  const askings = createAskings();
  let answered = 0;
  const drive = async (end: number) => {
    const clients = {
      gateway: await connectKeepAlive(new URL(addresses.gateway)),
      apikey: await connectKeepAlive(new URL(addresses.apikey)),
    };
    while (performance.now() < end) {
      const { at, next } = askings[anyKind()];
      await clients[at].send(next());
      answered += 1;
    }
    clients.gateway.close();
    clients.apikey.close();
  };
  // A gateway answers from cookies only after it has read the revocations of the last minutes.
  const first = await connectKeepAlive(new URL(addresses.gateway));
  const cached = askings["get-session, cookie cache"];
  await until(async () => isRight(await first.send(cached.next())), {
    timeoutMs: cacheMs,
    describe: "a cached answer",
  });
  first.close();
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, () => drive(begun + seconds * 1_000)));
  return answered / ((performance.now() - begun) / 1_000);
};

import {
  type Asking,
  anyKind,
  createAskings,
  isRight,
  type MixedKind,
} from "../../../bench/harness/mixed-load.ts";
import { until } from "../../../../libs/testkit/src/until.ts";
import {
  type Answered,
  connectKeepAlive,
  type KeepAliveClient,
} from "../../../bench/harness/keep-alive-client.ts";

/** Results of a period of time. */
export interface Stretch {
  /** Measured from the time when a request was due, so that waiting for a connection counts. */
  latencies: Record<"gateway" | "apikey", number[]>;
  right: number;
  /** Answers of 503 with Retry-After, the signal for overload. */
  overloaded: number;
  wrong: string[];
}

interface Due {
  at: number;
  kind: MixedKind;
}

const connectionsMax = 64;
/** Shorter than the time after which a server closes an idle or incomplete connection. */
const idleMsMax = 5_000;
const stopMs = 60_000;
const tickMs = 5;
const overload = 503;

const noStretch = (): Stretch => ({
  latencies: { gateway: [], apikey: [] },
  right: 0,
  overloaded: 0,
  wrong: [],
});

/** Connections to one proxy, opened on demand. An idle one is not used again, because the server may be closing it. */
const createConnections = (proxy: string) => {
  const free: { client: KeepAliveClient; since: number }[] = [];
  let open = 0;
  return {
    isFull: () => open >= connectionsMax,
    take: async (): Promise<KeepAliveClient> => {
      open += 1;
      for (let idle = free.pop(); idle; idle = free.pop()) {
        if (performance.now() - idle.since < idleMsMax) return idle.client;
        idle.client.close();
      }
      return connectKeepAlive(new URL(proxy));
    },
    giveBack: (client: KeepAliveClient) => {
      open -= 1;
      free.push({ client, since: performance.now() });
    },
    discard: (client: KeepAliveClient | undefined) => {
      open -= 1;
      client?.close();
    },
    close: () => {
      for (const { client } of free) client.close();
    },
  };
};

const record = (stretch: Stretch, kind: MixedKind, answer: Answered): void => {
  if (isRight(answer)) stretch.right += 1;
  else if (answer.status === overload) stretch.overloaded += 1;
  else stretch.wrong.push(`${kind}: ${answer.status} ${answer.body.toString().slice(0, 100)}`);
};

/** Sends requests at a fixed rate, whether or not earlier ones are answered. */
export const startPacedLoad = async (
  addresses: Record<Asking["at"], string>,
  perSecond: number,
) => {
  const askings = createAskings();
  const to = {
    gateway: { connections: createConnections(addresses.gateway), due: [] as Due[] },
    apikey: { connections: createConnections(addresses.apikey), due: [] as Due[] },
  };
  let stretch = noStretch();
  let pending = 0;
  const sendOne = async (at: Asking["at"], { at: dueAt, kind }: Due) => {
    const { connections } = to[at];
    let client: KeepAliveClient | undefined;
    pending += 1;
    try {
      client = await connections.take();
      const answer = await client.send(askings[kind].next());
      stretch.latencies[at].push(performance.now() - dueAt);
      record(stretch, kind, answer);
      connections.giveBack(client);
    } catch (error) {
      stretch.wrong.push(`${kind}: ${String(error)}`);
      connections.discard(client);
    }
    pending -= 1;
    send(at);
  };
  const send = (at: Asking["at"]): void => {
    const { connections, due } = to[at];
    while (!connections.isFull() && due.length > 0) void sendOne(at, due.shift() as Due); // there is one
  };
  const begun = performance.now();
  let made = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (; made < ((now - begun) / 1_000) * perSecond; made += 1) {
      const kind = anyKind();
      const { at } = askings[kind];
      to[at].due.push({ at: begun + (made / perSecond) * 1_000, kind });
      send(at);
    }
  }, tickMs);
  return {
    /** Returns and resets the results since the last call. */
    take: (): Stretch => {
      const results = stretch;
      stretch = noStretch();
      return results;
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      for (const { due } of Object.values(to)) due.length = 0;
      await until(() => pending === 0, { timeoutMs: stopMs, describe: "the last answers" });
      for (const { connections } of Object.values(to)) connections.close();
    },
  };
};

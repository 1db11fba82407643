import {
  type Asking,
  anyKind,
  createAskings,
  isRight,
  type MixedKind,
} from "../../bench/harness/mixed-load.ts";
import { until } from "../../../libs/testkit/src/until.ts";
import {
  type Answered,
  connectKeepAlive,
  type KeepAliveClient,
} from "../../bench/harness/keep-alive-client.ts";

/** What came of a stretch of time. */
export interface Stretch {
  /** From when a request was due, not from when it was sent, to its answer: who waits for a connection waits. */
  latencies: Record<"gateway" | "apikey", number[]>;
  right: number;
  /** 503 with what is told of overload. */
  overloaded: number;
  wrong: string[];
}

interface Due {
  at: number;
  kind: MixedKind;
}

const connectionsMax = 64;
/** Less than a server waits for a request, or for another one. */
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

/** Connections to one door, opened when they are needed; one that lies idle is not used again, as the server may be ending it. */
const createConnections = (door: string) => {
  const free: { client: KeepAliveClient; since: number }[] = [];
  let open = 0;
  return {
    isFull: () => open >= connectionsMax,
    take: async (): Promise<KeepAliveClient> => {
      open += 1;
      for (let kept = free.pop(); kept; kept = free.pop()) {
        if (performance.now() - kept.since < idleMsMax) return kept.client;
        kept.client.close();
      }
      return connectKeepAlive(new URL(door));
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

const note = (stretch: Stretch, kind: MixedKind, answer: Answered): void => {
  if (isRight(answer)) stretch.right += 1;
  else if (answer.status === overload) stretch.overloaded += 1;
  else stretch.wrong.push(`${kind}: ${answer.status} ${answer.body.toString().slice(0, 100)}`);
};

/** Sends so many a second, whether the ones before are answered or not. */
export const startPacedLoad = async (doors: Record<Asking["at"], string>, perSecond: number) => {
  const askings = createAskings();
  const to = {
    gateway: { connections: createConnections(doors.gateway), due: [] as Due[] },
    apikey: { connections: createConnections(doors.apikey), due: [] as Due[] },
  };
  let stretch = noStretch();
  let pending = 0;
  const ask = async (at: Asking["at"], { at: dueAt, kind }: Due) => {
    const { connections } = to[at];
    let client: KeepAliveClient | undefined;
    pending += 1;
    try {
      client = await connections.take();
      const answer = await client.send(askings[kind].next());
      stretch.latencies[at].push(performance.now() - dueAt);
      note(stretch, kind, answer);
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
    while (!connections.isFull() && due.length > 0) void ask(at, due.shift() as Due); // there is one
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
    /** What was seen since it was last taken. */
    take: (): Stretch => {
      const taken = stretch;
      stretch = noStretch();
      return taken;
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      for (const { due } of Object.values(to)) due.length = 0;
      await until(() => pending === 0, { timeoutMs: stopMs, describe: "the last answers" });
      for (const { connections } of Object.values(to)) connections.close();
    },
  };
};

import {
  type Asking,
  anyKind,
  createAskings,
  isRight,
  type MixedKind,
} from "../../bench/harness/mixed-load.ts";
import { connectKeepAlive, type KeepAliveClient } from "../../bench/harness/keep-alive-client.ts";

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

const connections = 64;
const tickMs = 5;
const overload = 503;

export const noStretch = (): Stretch => ({
  latencies: { gateway: [], apikey: [] },
  right: 0,
  overloaded: 0,
  wrong: [],
});

/** Sends so many a second, whether the ones before are answered or not. */
export const startPacedLoad = async (doors: Record<Asking["at"], string>, perSecond: number) => {
  const askings = createAskings();
  const free: Record<Asking["at"], KeepAliveClient[]> = { gateway: [], apikey: [] };
  const due: Record<Asking["at"], Due[]> = { gateway: [], apikey: [] };
  const all: KeepAliveClient[] = [];
  for (const at of ["gateway", "apikey"] as const)
    for (let index = 0; index < connections; index += 1) {
      const client = await connectKeepAlive(new URL(doors[at]));
      free[at].push(client);
      all.push(client);
    }
  let stretch = noStretch();
  let pending = 0;
  const ask = async (client: KeepAliveClient, { at: dueAt, kind }: Due) => {
    const { at, next } = askings[kind];
    pending += 1;
    try {
      const answer = await client.send(next());
      stretch.latencies[at].push(performance.now() - dueAt);
      if (isRight(answer)) stretch.right += 1;
      else if (answer.status === overload) stretch.overloaded += 1;
      else stretch.wrong.push(`${kind}: ${answer.status} ${answer.body.toString().slice(0, 100)}`);
      free[at].push(client);
    } catch (error) {
      stretch.wrong.push(`${kind}: ${String(error)}`);
    }
    pending -= 1;
    send(at);
  };
  const send = (at: Asking["at"]): void => {
    while (free[at].length > 0 && due[at].length > 0)
      void ask(free[at].pop() as KeepAliveClient, due[at].shift() as Due); // both are there
  };
  const begun = performance.now();
  let made = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (; made < ((now - begun) / 1_000) * perSecond; made += 1) {
      const kind = anyKind();
      const { at } = askings[kind];
      due[at].push({ at: begun + (made / perSecond) * 1_000, kind });
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
      due.gateway.length = 0;
      due.apikey.length = 0;
      while (pending > 0) await new Promise((go) => setTimeout(go, tickMs));
      for (const client of all) client.close();
    },
  };
};

import { until } from "../../../libs/testkit/src/until.ts";
import { type Answered, connectKeepAlive, type KeepAliveClient } from "./keep-alive-client.ts";
import {
  cachedGetSessionRequests,
  getSessionRequests,
  signInRequests,
  signUpRequests,
} from "./requests.ts";
import type { Doors } from "./run-programs.ts";
import { seededCount } from "./seed.ts";
import { verifyRequest } from "./verify-requests.ts";

/** What people and programs do, by how often. Every tenth request hashes a password, which is much: sign-ins are most of the work. */
export const mixedShares = {
  "get-session": 0.7,
  "get-session, cookie cache": 0.1,
  "verify of a key": 0.1,
  "sign-in": 0.08,
  "sign-up": 0.02,
} as const;
export type MixedKind = keyof typeof mixedShares;

/** Milliseconds of each answer by kind, and how many answers were not the right ones. */
export interface MixedRun {
  latencies: Record<MixedKind, number[]>;
  wrong: number;
  seconds: number;
}

/** Where a kind is asked for, and with what. */
export interface Asking {
  at: keyof Doors;
  next: () => Buffer;
}

type Clients = Record<keyof Doors, KeepAliveClient>;

export const createAskings = (): Record<MixedKind, Asking> => ({
  "get-session": { at: "gateway", next: getSessionRequests() },
  "get-session, cookie cache": { at: "gateway", next: cachedGetSessionRequests() },
  "verify of a key": {
    at: "apikey",
    next: () => verifyRequest(1 + Math.floor(Math.random() * seededCount)),
  },
  "sign-in": { at: "gateway", next: signInRequests() },
  "sign-up": { at: "gateway", next: signUpRequests() },
});

/** Whether an answer is that of somebody who is let in. */
export const isRight = ({ status, body }: Answered): boolean =>
  status === 200 && (body.includes("@example.com") || body.includes('"valid":true'));

const kinds = Object.keys(mixedShares) as MixedKind[];

/** One by chance, by its share. */
export const anyKind = (): MixedKind => {
  let left = Math.random();
  return kinds.find((kind) => (left -= mixedShares[kind]) < 0) ?? "get-session";
};

const connect = async ({ gateway, apikey }: Doors): Promise<Clients> => ({
  gateway: await connectKeepAlive(new URL(gateway)),
  apikey: await connectKeepAlive(new URL(apikey)),
});

const closeAll = (clients: readonly Clients[]): void => {
  for (const { gateway, apikey } of clients) {
    gateway.close();
    apikey.close();
  }
};

/** Makes what keeps the doors busy, each with its share of the connections. */
export const createMixedLoad = async (doors: readonly Doors[], connections: number) => {
  const askings = createAskings();
  const drive = async (clients: Clients, run: MixedRun, end: number): Promise<void> => {
    for (let now = performance.now(); now < end; now = performance.now()) {
      const kind = anyKind();
      const { at, next } = askings[kind];
      const answer = await clients[at].send(next());
      run.latencies[kind].push(performance.now() - now);
      if (!isRight(answer)) run.wrong += 1;
    }
  };
  const open = () =>
    Promise.all(
      Array.from({ length: connections }, (_, index) =>
        connect(doors[index % doors.length] as Doors),
      ),
    );
  // A gateway answers from cookies once it has heard of the revocations of the last minutes.
  const first = await open();
  const cached = askings["get-session, cookie cache"];
  for (const { gateway } of first.slice(0, doors.length))
    await until(async () => isRight(await gateway.send(cached.next())), {
      describe: "a cached answer",
    });
  closeAll(first);
  return async (seconds: number): Promise<MixedRun> => {
    const clients = await open();
    const none = Object.fromEntries(kinds.map((kind) => [kind, []]));
    const run = { latencies: none, wrong: 0, seconds } as unknown as MixedRun; // a list for each
    try {
      const begun = performance.now();
      await Promise.all(clients.map((client) => drive(client, run, begun + seconds * 1000)));
      return { ...run, seconds: (performance.now() - begun) / 1000 };
    } finally {
      closeAll(clients);
    }
  };
};

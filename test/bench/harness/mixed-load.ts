import { until } from "../../../libs/testkit/src/until.ts";
import { type Answered, connectKeepAlive, type KeepAliveClient } from "./keep-alive-client.ts";
import {
  cachedGetSessionRequests,
  getSessionRequests,
  signInRequests,
  signUpRequests,
} from "./requests.ts";
import type { Addresses } from "./run-programs.ts";
import { seededCount } from "./seed.ts";
import { verifyRequest } from "./verify-requests.ts";

/**
 * Share of each kind of request by users and programs. Every tenth request hashes a password, which is a lot: sign-ins are most
 * of the work.
 */
export const mixedShares = {
  "get-session": 0.7,
  "get-session, cookie cache": 0.1,
  "verify of a key": 0.1,
  "sign-in": 0.08,
  "sign-up": 0.02,
} as const;
export type MixedKind = keyof typeof mixedShares;

/** Milliseconds of each answer by kind, and the number of wrong answers. */
export interface MixedRun {
  latencies: Record<MixedKind, number[]>;
  wrong: number;
  seconds: number;
}

/** Server and request of a kind. */
export interface Asking {
  at: keyof Addresses;
  next: () => Buffer;
}

type Clients = Record<keyof Addresses, KeepAliveClient>;

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

/** Whether an answer is that of an authorized request. */
export const isRight = ({ status, body }: Answered): boolean =>
  status === 200 && (body.includes("@example.com") || body.includes('"valid":true'));

const kinds = Object.keys(mixedShares) as MixedKind[];

/** Picks a kind at random by its share. */
export const anyKind = (): MixedKind => {
  let remainder = Math.random();
  return kinds.find((kind) => (remainder -= mixedShares[kind]) < 0) ?? "get-session";
};

const connect = async ({ gateway, apikey }: Addresses): Promise<Clients> => ({
  gateway: await connectKeepAlive(new URL(gateway)),
  apikey: await connectKeepAlive(new URL(apikey)),
});

const closeAll = (clients: readonly Clients[]): void => {
  for (const { gateway, apikey } of clients) {
    gateway.close();
    apikey.close();
  }
};

/** Creates a load on the addresses, which share the connections. */
export const createMixedLoad = async (addresses: readonly Addresses[], connections: number) => {
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
        connect(addresses[index % addresses.length] as Addresses),
      ),
    );
  // A gateway answers from cookies only after it has read the revocations of the last minutes.
  const first = await open();
  const cached = askings["get-session, cookie cache"];
  for (const { gateway } of first.slice(0, addresses.length))
    await until(async () => isRight(await gateway.send(cached.next())), {
      describe: "a cached answer",
    });
  closeAll(first);
  return async (seconds: number): Promise<MixedRun> => {
    const clients = await open();
    const none = Object.fromEntries(kinds.map((kind) => [kind, []]));
    const run = { latencies: none, wrong: 0, seconds } as unknown as MixedRun; // a list for each kind
    try {
      const begun = performance.now();
      await Promise.all(clients.map((client) => drive(client, run, begun + seconds * 1000)));
      return { ...run, seconds: (performance.now() - begun) / 1000 };
    } finally {
      closeAll(clients);
    }
  };
};

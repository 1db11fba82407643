import { Pool } from "undici";

const connectMilliseconds = 2_000;
/**
 * No request meets a connection that a leaving process closes: such a process answers with `connection: close` for four seconds
 * before it closes anything (`DRAIN_SECONDS`). A connection that is idle when it begins to leave is used again within three
 * seconds, and so ends with an answer, or is closed from here; the second between is for timers that come late. A server's own
 * hint of how long it keeps connections binds undici by the maximum only.
 */
const keepAliveMilliseconds = 3_000;
const connectionsMax = 128;
/** How long an address is passed over once it could not be reached, or once it has kept a request waiting. */
const restMilliseconds = { unreached: 1_000, silent: 15_000 } as const;
/** And once it said that it leaves: longer than it goes on to answer, so that nobody connects at the moment of its end. */
const leaveMilliseconds = 5_000;

/** One address of a service. */
export interface Replica {
  readonly connections: Pool;
  /** Until then it is passed over where there are others, by the clock of `performance`; 0 while all is well. */
  restsUntil: number;
  /** How long it rests further while one request finds out whether that is over. */
  restMilliseconds: number;
}

/** Kept-alive connections to the replicas of one service, which take requests in turn. */
export interface ServicePool {
  /** Whose turn it is, of those that are not `passed`: one that does not rest, if there is any. */
  next(passed?: readonly Replica[]): Replica | undefined;
  /** It could not be reached, or is slow to answer: others are asked for a while, or until it answers. */
  rest(replica: Replica, reason: keyof typeof restMilliseconds): void;
  /** It answered; `isLeaving` when it closes the connection after that. */
  note(replica: Replica, isLeaving: boolean): void;
  /** A pool for each replica, over the same connections. */
  apart(): readonly ServicePool[];
  /** Waits for the answers to come. */
  close(): Promise<void>;
  /** Ends every request. */
  destroy(): Promise<void>;
}

/** How long an answer may take is the sender's to say: it bounds the whole exchange. */
const connect = (url: string): Replica => ({
  connections: new Pool(url, {
    connections: connectionsMax,
    connectTimeout: connectMilliseconds,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMilliseconds,
    keepAliveMaxTimeout: keepAliveMilliseconds,
  }),
  restsUntil: 0,
  restMilliseconds: restMilliseconds.unreached,
});

const poolOf = (replicas: readonly Replica[]): ServicePool => {
  const only = replicas.length === 1 ? replicas[0] : undefined;
  let turn = 0;
  const next = (passed: readonly Replica[]): Replica | undefined => {
    const now = performance.now();
    let resting: Replica | undefined;
    for (let step = 0; step < replicas.length; step += 1) {
      turn = (turn + 1) % replicas.length;
      const replica = replicas[turn] as Replica; // within its length
      if (passed.includes(replica)) continue;
      if (replica.restsUntil <= now) {
        // The first request after a rest finds out for all others.
        if (replica.restsUntil > 0) replica.restsUntil = now + replica.restMilliseconds;
        return replica;
      }
      if (!resting || replica.restsUntil < resting.restsUntil) resting = replica;
    }
    return resting;
  };
  return {
    next: (passed = []) => {
      if (only) return passed.length === 0 ? only : undefined;
      return next(passed);
    },
    rest: (replica, reason) => {
      replica.restMilliseconds = restMilliseconds[reason];
      replica.restsUntil = Math.max(
        replica.restsUntil,
        performance.now() + replica.restMilliseconds,
      );
    },
    note: (replica, isLeaving) => {
      if (isLeaving) replica.restsUntil = performance.now() + leaveMilliseconds;
      else if (replica.restsUntil > 0) replica.restsUntil = 0;
    },
    apart: () => replicas.map((replica) => poolOf([replica])),
    close: async () => {
      await Promise.all(replicas.map(({ connections }) => connections.close()));
    },
    destroy: async () => {
      await Promise.all(replicas.map(({ connections }) => connections.destroy()));
    },
  };
};

/** Connections to a service at one or more addresses. */
export const createServicePool = (urls: readonly string[]): ServicePool =>
  poolOf(urls.map(connect));

import Pool from "undici/lib/dispatcher/pool.js";

const connectMilliseconds = 2_000;
/**
 * Shorter than the drain time, so that no request uses a connection that a leaving process closes. Such a process replies with
 * `connection: close` for four seconds (`DRAIN_SECONDS`) before it closes anything. A connection that is idle at that time is
 * either used again within three seconds, or closed from this side. The remaining second allows for late timers. A server's own
 * keep-alive hint can only shorten this for undici.
 */
const keepAliveMilliseconds = 3_000;
const connectionsMax = 128;
/** Behind one address, such as that of a Service of Kubernetes, a new replica gets requests only by new connections. */
const connectionAgeMilliseconds = 30_000;
/** Time for which an unreachable or silent replica gets no requests. */
const restMilliseconds = { unreached: 1_000, silent: 15_000 } as const;
/** The same for a leaving replica. Longer than its drain time, so that no request connects at its end. */
const leaveMilliseconds = 5_000;

/** One address of a service. */
export interface Replica {
  readonly connections: Pool;
  /** The number of requests without a reply, except those that wait for a change. */
  pending: number;
  /** Time until which it is skipped if there are others, by the clock of `performance`. 0 while it is healthy. */
  restsUntil: number;
  /** Further pause while one request checks whether the replica has recovered. */
  restMilliseconds: number;
}

/** Keep-alive connections to the replicas of one service. */
export interface ServicePool {
  /** The number of replicas. */
  readonly size: number;
  /** Multiplies the time limits of its exchanges. */
  readonly timeLimitFactor: number;
  /**
   * Returns a replica that is not in `tried`, or undefined if none is left. Prefers one whose pause has just ended, to probe it, then
   * the one with the fewest pending requests. Ties rotate. If all are paused, returns the one whose pause ends first.
   */
  next(tried?: readonly Replica[]): Replica | undefined;
  /** Pauses a replica that is unreachable or slow, for a while or until it replies. */
  rest(replica: Replica, reason: keyof typeof restMilliseconds): void;
  /** Records a reply. `isLeaving` if the replica then closes the connection. */
  note(replica: Replica, isLeaving: boolean): void;
  /** Returns one pool per replica over the same connections. */
  apart(): readonly ServicePool[];
  /** Closes after all pending replies. */
  close(): Promise<void>;
  /** Aborts all requests. */
  destroy(): Promise<void>;
}

/** Sets no timeout for replies, because the sender limits the whole exchange. */
const connect = (url: string, timeLimitFactor: number): Replica => ({
  connections: new Pool(url, {
    connections: connectionsMax,
    connectTimeout: connectMilliseconds * timeLimitFactor,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMilliseconds,
    keepAliveMaxTimeout: keepAliveMilliseconds,
    clientTtl: connectionAgeMilliseconds,
  }),
  pending: 0,
  restsUntil: 0,
  restMilliseconds: restMilliseconds.unreached,
});

const poolOf = (replicas: readonly Replica[], timeLimitFactor: number): ServicePool => {
  const only = replicas.length === 1 ? replicas[0] : undefined;
  let turn = 0;
  const next = (tried: readonly Replica[]): Replica | undefined => {
    const now = performance.now();
    let idlest: Replica | undefined;
    let resting: Replica | undefined;
    const first = turn + 1;
    for (let step = 0; step < replicas.length; step += 1) {
      const index = (first + step) % replicas.length;
      const replica = replicas[index] as Replica; // within bounds
      if (tried.includes(replica)) continue;
      if (replica.restsUntil > now) {
        if (!resting || replica.restsUntil < resting.restsUntil) resting = replica;
        continue;
      }
      if (replica.restsUntil > 0) {
        // The first request after a pause probes the replica for all others.
        replica.restsUntil = now + replica.restMilliseconds;
        return replica;
      }
      if (idlest && idlest.pending <= replica.pending) continue;
      idlest = replica;
      turn = index;
    }
    return idlest ?? resting;
  };
  return {
    size: replicas.length,
    timeLimitFactor,
    next: (tried = []) => {
      if (only) return tried.length === 0 ? only : undefined;
      return next(tried);
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
    apart: () => replicas.map((replica) => poolOf([replica], timeLimitFactor)),
    close: async () => {
      await Promise.all(replicas.map(({ connections }) => connections.close()));
    },
    destroy: async () => {
      await Promise.all(replicas.map(({ connections }) => connections.destroy()));
    },
  };
};

/** Creates a pool of connections to a service with one or more addresses. */
export const createServicePool = (urls: readonly string[], timeLimitFactor = 1): ServicePool =>
  poolOf(
    urls.map((url) => connect(url, timeLimitFactor)),
    timeLimitFactor,
  );

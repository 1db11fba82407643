import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { finished, Transform } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createLinkFault, type LinkFault } from "./link-fault.ts";
import { until } from "./until.ts";

export type TcpProxyOptions = {
  /** Origins of the targets, used in turn. If a target refuses a connection, the next one is tried for that connection. */
  targets: readonly string[];
  /** Called for every target five times a second. A target that is not ready gets no connection while another is ready. */
  isReady?: (target: string) => Promise<boolean>;
};

export type TcpProxy = {
  /** The proxy's own origin. */
  url: string;
  port: number;
  /** Resets every connection and refuses new ones. Resolves when that is done. */
  cut(): Promise<void>;
  /** Delays everything by this many milliseconds, in each direction. */
  delay(ms: number): void;
  /** Accepts connections and bytes, but passes nothing on. */
  drop(): void;
  /** Ends any of these faults. */
  heal(): Promise<void>;
  /** Ends every connection and waits until they are closed. */
  stop(): Promise<void>;
};

const lookMs = 200;

/** Passes data on when the fault allows it, including the end. */
const createGate = (fault: LinkFault): Transform => {
  const after = (done: () => void) => {
    const passage = fault.passage();
    if (passage) void passage.then(done);
    else done();
  };
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => after(() => done(null, chunk)),
    flush: (done) => after(() => done()),
  });
};

/** Carries one direction: the data of `from`, then its end or its reset. */
const carryOneWay = (from: Socket, to: Socket, fault: LinkFault): void => {
  const gate = createGate(fault);
  from.pipe(gate).pipe(to);
  from.once("close", (hadError) => {
    if (!hadError) {
      finished(gate, { writable: false }, () => to.destroySoon());
      gate.end();
      gate.resume();
      return;
    }
    void (fault.passage() ?? Promise.resolve()).then(() => to.resetAndDestroy());
  });
};

/** Listens on its former port, which is assumed to be still free. 0 means any port. */
const listen = async (listener: Server, port: number): Promise<number> => {
  await until(
    async () => {
      await once(listener.listen(port, "127.0.0.1"), "listening");
      return true;
    },
    { describe: `port ${port}` },
  );
  return (listener.address() as AddressInfo).port;
};

/**
 * Starts a load balancer in front of several servers on 127.0.0.1. It passes bytes on unchanged: an end of one side is an end for the
 * other, and a reset is a reset for both. On request, it simulates a network fault.
 */
export async function startTcpProxy({ targets, isReady }: TcpProxyOptions): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const unready = new Set<string>();
  const stopping = new AbortController();
  const fault = createLinkFault();
  let turn = 0;

  /** Returns the ready targets first, each time starting with another one. */
  const inTurn = (): string[] => {
    turn += 1;
    const turned = targets.map((_, index) => targets[(turn + index) % targets.length] as string);
    return turned.toSorted((one, other) => Number(unready.has(one)) - Number(unready.has(other)));
  };
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.setNoDelay(true);
    // Every error is followed by a close.
    return socket.on("error", () => {}).once("close", () => open.delete(socket));
  };
  const carry = (client: Socket, [target, ...others]: readonly string[]): void => {
    if (target === undefined || client.destroyed) {
      client.resetAndDestroy();
      return;
    }
    const { hostname, port } = new URL(target);
    const server = keep(connect({ host: hostname, port: Number(port), allowHalfOpen: true }));
    const onRefused = () => carry(client, others);
    server.once("error", onRefused).once("connect", () => {
      server.off("error", onRefused);
      carryOneWay(server, client, fault);
      carryOneWay(client, server, fault);
    });
  };
  const watch = async (target: string): Promise<void> => {
    while (isReady && !stopping.signal.aborted) {
      if (await isReady(target).catch(() => false)) unready.delete(target);
      else unready.add(target);
      await delay(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const close = async (end: (socket: Socket) => void): Promise<void> => {
    if (!listener.listening) return;
    const closed = once(listener, "close");
    listener.close();
    fault.heal(); // waiting data of closed connections must not block the close
    for (const socket of open) end(socket);
    await closed;
  };

  const listener = createServer({ allowHalfOpen: true }, (client) => carry(keep(client), inTurn()));
  const port = await listen(listener, 0);
  const watched = targets.map(watch);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    cut: () => close((socket) => socket.resetAndDestroy()),
    delay: fault.delay,
    drop: fault.drop,
    heal: async () => {
      fault.heal();
      if (!listener.listening) await listen(listener, port);
    },
    stop: async () => {
      stopping.abort();
      await Promise.all([close((socket) => socket.destroy()), ...watched]);
    },
  };
}

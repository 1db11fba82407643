import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export type TcpProxyOptions = {
  /** Origins that connections go to in turn. One that refuses a connection is passed over for that one. */
  targets: readonly string[];
  /** Asked of every target five times a second; one that is not ready gets no connection while another is. */
  isReady?: (target: string) => Promise<boolean>;
};

export type TcpProxy = {
  /** Its own origin. */
  url: string;
  /** Ends every connection, and waits until they are gone. */
  stop(): Promise<void>;
};

const lookMs = 200;

/**
 * Stands before several servers on 127.0.0.1 as a load balancer does, and carries bytes untouched: an end of one side is an end
 * for the other, and what one breaks is broken for both.
 */
export async function startTcpProxy({ targets, isReady }: TcpProxyOptions): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const unready = new Set<string>();
  const stopping = new AbortController();
  let turn = 0;

  /** Those that are ready first, each time beginning with another one. */
  const inTurn = (): string[] => {
    turn += 1;
    const turned = targets.map((_, index) => targets[(turn + index) % targets.length] as string);
    return turned.toSorted((one, other) => Number(unready.has(one)) - Number(unready.has(other)));
  };
  const keep = (socket: Socket): Socket => {
    open.add(socket);
    socket.setNoDelay(true);
    // Whatever breaks it, it is closed after that.
    return socket.on("error", () => {}).once("close", () => open.delete(socket));
  };
  const join = (one: Socket, other: Socket): void => {
    one.pipe(other);
    one.once("close", (hadError) => (hadError ? other.resetAndDestroy() : other.destroySoon()));
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
      join(server, client);
      join(client, server);
    });
  };
  const watch = async (target: string): Promise<void> => {
    while (isReady && !stopping.signal.aborted) {
      if (await isReady(target).catch(() => false)) unready.delete(target);
      else unready.add(target);
      await delay(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };

  const listener = createServer({ allowHalfOpen: true }, (client) => carry(keep(client), inTurn()));
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const watched = targets.map(watch);
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stop: async () => {
      stopping.abort();
      const closed = once(listener, "close");
      listener.close();
      for (const socket of open) socket.destroy();
      await Promise.all([closed, ...watched]);
    },
  };
}

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** How a receiver answers during the storm. */
export const manners = ["accepts", "is slow", "fails", "hangs"] as const;
export type Manner = (typeof manners)[number];

/** An accepted event. */
export interface Arrival {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** Receivers of events, one of each manner, until they are healed. */
export interface EventReceivers {
  urlOf(manner: Manner): string;
  /** The accepted events in their order, repeated ones included. */
  arrivedAt(manner: Manner): readonly Arrival[];
  /** From now on, all of them accept everything at once. */
  heal(): void;
  stop(): Promise<void>;
}

const slowMs = 400;

export const startEventReceivers = async (): Promise<EventReceivers> => {
  const arrivals = new Map<string, Arrival[]>(manners.map((manner) => [manner, []]));
  const hanging = new Set<ServerResponse>();
  let isHealed = false;
  const answer = (manner: string, body: string, response: ServerResponse) => {
    const accept = () => {
      arrivals.get(manner)?.push(JSON.parse(body) as Arrival);
      response.writeHead(204).end();
    };
    if (isHealed || manner === "accepts") accept();
    else if (manner === "fails") response.writeHead(500).end();
    else if (manner === "hangs") hanging.add(response);
    else setTimeout(accept, slowMs);
  };
  const server = createServer((request, response) => {
    const manner = decodeURIComponent(request.url?.slice(1) ?? "");
    // A killed sender breaks the connection in the middle of a body.
    text(request).then(
      (body) => answer(manner, body, response),
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (manner) => `http://127.0.0.1:${port}/${encodeURIComponent(manner)}`,
    arrivedAt: (manner) => arrivals.get(manner) ?? [],
    heal: () => {
      isHealed = true;
      for (const response of hanging) response.destroy();
    },
    stop: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
};

import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** How the deployment reaches this machine. */
export interface ReceiverPlace {
  /** A public address that leads to the port. */
  url: URL;
  port: number;
}

/** A request that the receiver got. */
export interface ReceivedEvent {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A path of the receiver, on which one webhook sends. */
export interface Inbox {
  url: string;
  received: readonly ReceivedEvent[];
}

/** Statuses of the responses in turn, the last one from then on. A redirect leads to a URL. */
export interface Responding {
  statuses: readonly number[];
  location?: string;
}

export interface EventReceiver {
  /** Opens a path that nobody else knows. */
  openInbox(name: string, responding: Responding): Inbox;
  close(): Promise<void>;
}

/** A receiver that listens from the first `open` on. */
export interface PreparedReceiver {
  open(): Promise<EventReceiver>;
  close(): Promise<void>;
}

const bodyBytesMax = 1_048_576;

interface OpenInbox {
  received: ReceivedEvent[];
  responding: Responding;
}

/** Reads a body, whatever length its headers name. Rejects beyond the limit, which ends the connection. */
const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) throw new Error("the body is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const openReceiver = async (place: ReceiverPlace | undefined): Promise<EventReceiver> => {
  const inboxes = new Map<string, OpenInbox>();
  const server = createServer((request, response) => {
    const name = request.url?.split("/").at(-1) ?? "";
    const inbox = inboxes.get(name);
    if (!inbox) {
      response.writeHead(404).end();
      return;
    }
    void readBody(request).then(
      (body) => {
        inbox.received.push({ headers: request.headers, body });
        const { statuses, location } = inbox.responding;
        const status = statuses[inbox.received.length - 1] ?? statuses.at(-1) ?? 204;
        response.writeHead(status, location === undefined ? {} : { location }).end();
      },
      () => response.destroy(),
    );
  });
  // Other machines reach the port only if an address for it was given.
  await once(server.listen(place?.port ?? 0, place ? "0.0.0.0" : "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const base = place ? place.url.href.replace(/\/$/, "") : `http://127.0.0.1:${port}`;
  return {
    openInbox: (name, responding) => {
      const inbox: OpenInbox = { received: [], responding };
      inboxes.set(name, inbox);
      return { url: `${base}/${name}`, received: inbox.received };
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
};

/** Prepares a receiver. Without a place, only a deployment on the same machine reaches it. */
export const prepareReceiver = (place: ReceiverPlace | undefined): PreparedReceiver => {
  let opened: Promise<EventReceiver> | undefined;
  return {
    open: () => (opened ??= openReceiver(place)),
    close: async () => {
      const receiver = await opened?.catch(() => undefined);
      await receiver?.close();
    },
  };
};

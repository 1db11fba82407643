import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An application that receives webhooks. */
export interface WebhookReceiver {
  url: string;
  /** Its requests, in order. */
  received: Received[];
  /** The response from now on. Accepts by default. */
  response: { status: number; body: string };
  stop(): Promise<void>;
}

export const accepted = { status: 204, body: "" };

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const server = createServer((request, answer) => {
    text(request).then(
      (body) => {
        const headers = request.headers as Record<string, string>;
        receiver.received.push({ path: request.url ?? "", headers, body });
        const { response } = receiver;
        answer.writeHead(response.status, { "content-type": "text/html" }).end(response.body);
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received: [],
    response: accepted,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
};

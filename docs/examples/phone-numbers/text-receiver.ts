import { createServer, type IncomingMessage, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

/** A text message as Latchkey posts it. */
export interface TextMessage {
  /** The number, in E.164. */
  to: string;
  text: string;
  /** The code in the text, for providers with templates of their own. */
  code: string;
  purpose: "phone-number" | "phone-password-reset";
  locale: string;
  expiresAt: string;
}

/** Sends a message through your provider. `id` is the same at every attempt. A rejection makes Latchkey try again. */
export type SendText = (message: TextMessage, id: string) => Promise<void>;

/** Creates a server that receives the messages, verifies their signature, and has each sent once. */
export const createTextReceiver = (secret: string, send: SendText): Server => {
  const webhook = new Webhook(secret);
  /** In production, keep the ids for some minutes in a store that all your processes share. */
  const sentIds = new Set<string>();
  /** Returns the status of the response. */
  const receive = async (request: IncomingMessage): Promise<number> => {
    const headers = request.headers as Record<string, string>;
    const id = headers["webhook-id"] ?? "";
    const body = await text(request);
    let message: TextMessage;
    try {
      // The signature covers the bytes that were sent, so the body must not be parsed before.
      message = webhook.verify(body, headers) as TextMessage;
    } catch {
      return 401;
    }
    if (!sentIds.has(id)) await send(message, id);
    sentIds.add(id);
    return 204;
  };
  return createServer((request, response) => {
    void receive(request)
      .catch(() => 500)
      .then((status) => response.writeHead(status).end());
  });
};

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The captcha provider as a site sees it. */
export interface CaptchaProvider {
  /** Its verification endpoint. */
  url: string;
  /** Bodies of the requests, in order. */
  requests: string[];
  /** The response from now on. Accepts by default. */
  respond: (response: ServerResponse, body: string) => void;
  stop(): Promise<void>;
}

/** Responds with JSON. */
export const respondWith =
  (answer: object, status = 200): CaptchaProvider["respond"] =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  };

export const startCaptchaProvider = async (): Promise<CaptchaProvider> => {
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        provider.requests.push(body);
        provider.respond(response, body);
      },
      () => {},
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const provider: CaptchaProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`,
    requests: [],
    respond: respondWith({ success: true }),
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return provider;
};

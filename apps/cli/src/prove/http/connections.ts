import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";

/** A request that is sent exactly as given, without added headers or normalization. */
export interface RawRequest {
  method: "GET" | "POST";
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** A reply with its time in milliseconds of `performance.now()`. */
export interface Answer<Body = unknown> {
  /** 0 without a reply. In that case `text` contains the reason. */
  status: number;
  headers: IncomingHttpHeaders;
  cookies: readonly string[];
  text: string;
  /** The parsed JSON of the text, or undefined. */
  body: Body;
  sentAt: number;
  answeredAt: number;
}

/** Keep-alive connections to one gateway. */
export interface Connections {
  url: URL;
  send(raw: RawRequest): Promise<Answer>;
  close(): void;
}

const timeoutMilliseconds = 30_000;

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** Opens at most `max` connections, each with one request at a time. */
export const openConnections = (url: URL, max: number): Connections => {
  const isSecure = url.protocol === "https:";
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: max });
  const request = isSecure ? httpsRequest : httpRequest;
  const address = { protocol: url.protocol, hostname: url.hostname.replace(/^\[(.*)\]$/, "$1") };
  const send = ({ method, target, headers, body = "" }: RawRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      let sentAt = performance.now();
      const own = method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {};
      const clientRequest = request(
        {
          ...address,
          port: url.port,
          method,
          path: target,
          headers: { ...own, ...headers },
          agent,
        },
        (answer) => {
          const answeredAt = performance.now();
          text(answer).then(
            (said) =>
              resolve({
                status: answer.statusCode ?? 0,
                headers: answer.headers,
                cookies: answer.headers["set-cookie"] ?? [],
                text: said,
                body: parse(said),
                sentAt,
                answeredAt,
              }),
            reject,
          );
        },
      );
      clientRequest.once("socket", () => (sentAt = performance.now()));
      clientRequest.setTimeout(timeoutMilliseconds, () =>
        clientRequest.destroy(new Error(`no answer within ${timeoutMilliseconds / 1000} seconds`)),
      );
      clientRequest.once("error", reject);
      clientRequest.end(body);
    });
  return {
    url,
    send: (raw) =>
      send(raw).catch((error: Error) => ({
        status: 0,
        headers: {},
        cookies: [],
        text: error.message,
        body: undefined,
        sentAt: Number.NaN,
        answeredAt: performance.now(),
      })),
    close: () => agent.destroy(),
  };
};

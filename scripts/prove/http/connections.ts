import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { text } from "node:stream/consumers";

/** A request as it goes on the wire, with nothing added and nothing tidied up. */
export interface RawRequest {
  method: "GET" | "POST";
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** What came back, and when, in milliseconds of `performance.now()`. */
export interface Answer<Body = unknown> {
  /** 0 where there was no answer; `text` says why. */
  status: number;
  headers: IncomingHttpHeaders;
  cookies: readonly string[];
  text: string;
  /** What the text says as JSON; undefined where it is none. */
  body: Body;
  sentAt: number;
  answeredAt: number;
}

/** Connections to one door, which are kept. */
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

/** Opens no more than `max` connections, each of which carries one request at a time. */
export const openConnections = (url: URL, max: number): Connections => {
  const isSecure = url.protocol === "https:";
  const agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: max });
  const request = isSecure ? httpsRequest : httpRequest;
  const address = { protocol: url.protocol, hostname: url.hostname.replace(/^\[(.*)\]$/, "$1") };
  const ask = ({ method, target, headers, body = "" }: RawRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      let sentAt = performance.now();
      const own = method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {};
      const asked = request(
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
      asked.once("socket", () => (sentAt = performance.now()));
      asked.setTimeout(timeoutMilliseconds, () =>
        asked.destroy(new Error(`no answer within ${timeoutMilliseconds / 1000} seconds`)),
      );
      asked.once("error", reject);
      asked.end(body);
    });
  return {
    url,
    send: (raw) =>
      ask(raw).catch((error: Error) => ({
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

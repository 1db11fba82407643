import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";

export interface RawRequest {
  method?: string;
  /** The request target exactly as sent. `fetch` would normalize it. */
  target: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Buffer;
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  cookies: readonly string[];
  text: string;
}

/** Sends a request unchanged to `origin`. */
export const sendRaw = (origin: string, raw: RawRequest): Promise<RawResponse> => {
  const { hostname, port } = new URL(origin);
  const { method = "GET", target, headers = {}, body } = raw;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: target, headers }, (answer) => {
      text(answer).then(
        (body) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            cookies: answer.headers["set-cookie"] ?? [],
            text: body,
          }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
};

/** Returns a JSON body with its media type. */
export const jsonRequest = (value: unknown): Pick<RawRequest, "method" | "headers" | "body"> => ({
  method: "POST",
  headers: { "content-type": "application/jsonRequest" },
  body: JSON.stringify(value),
});

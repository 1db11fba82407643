/** The parts of an answer that a client sees: status and error code. */
export interface Reply<Body> {
  said: string;
  body: Body;
  headers: Headers;
}

const readCode = (body: unknown): string =>
  typeof body === "object" && body !== null && "code" in body ? ` ${String(body.code)}` : "";

/** Sends one request. With a body it is a POST. */
export const sendRequest = async <Body = unknown>(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Reply<Body>> => {
  const response = await fetch(url, {
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: unknown = text === "" ? undefined : JSON.parse(text);
  const code = response.ok ? "" : readCode(parsed);
  return {
    said: `${response.status}${code}`,
    body: parsed as Body, // the caller knows the type
    headers: response.headers,
  };
};

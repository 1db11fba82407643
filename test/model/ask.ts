/** What a client sees of an answer: its status, and the code of an error. */
export interface Reply<Body> {
  said: string;
  body: Body;
  headers: Headers;
}

const readCode = (body: unknown): string =>
  typeof body === "object" && body !== null && "code" in body ? ` ${String(body.code)}` : "";

/** One request; a body makes it a POST. */
export const ask = async <Body = unknown>(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Reply<Body>> => {
  const response = await fetch(url, {
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const found: unknown = text === "" ? undefined : JSON.parse(text);
  const code = response.ok ? "" : readCode(found);
  return {
    said: `${response.status}${code}`,
    body: found as Body, // who asks knows what for
    headers: response.headers,
  };
};

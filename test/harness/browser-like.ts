/** A client that keeps cookies and sends its origin, as a browser does. It adds nothing else. */
export interface BrowserLike {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

const keep = (cookies: Map<string, string>, response: Response): Response => {
  for (const line of response.headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const isDead = attributes.some((attribute) => attribute.trim() === "Max-Age=0");
    if (isDead) cookies.delete(name);
    else cookies.set(name, value);
  }
  return response;
};

/** `url` is the base URL with the base path. `send` sends the requests in place of `fetch`. */
export const createBrowserLike = (
  url: string,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): BrowserLike => {
  const cookies = new Map<string, string>();
  const { origin } = new URL(url);
  const headers = (): Record<string, string> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { origin, ...(cookie ? { cookie } : {}) };
  };
  const ask = async (path: string, init: RequestInit) =>
    keep(cookies, await send(url + path, { redirect: "manual", ...init }));
  return {
    cookies,
    get: (path, own = {}) => ask(path, { headers: { ...headers(), ...own } }),
    post: (path, body = {}, own = {}) =>
      ask(path, {
        method: "POST",
        headers: { ...headers(), "content-type": "application/json", ...own },
        body: JSON.stringify(body),
      }),
  };
};

import { cookieHeader, storeCookies } from "./cookies.ts";

/** A client that keeps cookies and sends its origin, as a browser does. It adds nothing else. */
export interface BrowserLike {
  cookies: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** `url` is the base URL with the base path. `send` sends the requests in place of `fetch`. */
export const createBrowserLike = (
  url: string,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): BrowserLike => {
  const cookies = new Map<string, string>();
  const { origin } = new URL(url);
  const headers = (): Record<string, string> => {
    const cookie = cookieHeader(cookies);
    return { origin, ...(cookie ? { cookie } : {}) };
  };
  const request = async (path: string, init: RequestInit) => {
    const response = await send(url + path, { redirect: "manual", ...init });
    storeCookies(cookies, response.headers.getSetCookie());
    return response;
  };
  return {
    cookies,
    get: (path, own = {}) => request(path, { headers: { ...headers(), ...own } }),
    post: (path, body = {}, own = {}) =>
      request(path, {
        method: "POST",
        headers: { ...headers(), "content-type": "application/json", ...own },
        body: JSON.stringify(body),
      }),
  };
};

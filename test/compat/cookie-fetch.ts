import { cookieHeader, storeCookies } from "../harness/cookies.ts";

/** `fetch` with the additions of a browser: a cookie jar and the origin of the page. */
export const createCookieFetch = (page: string) => {
  const jar = new Map<string, string>();
  const cookieFetch = async (
    input: string | URL | Request,
    init?: RequestInit,
  ): Promise<Response> => {
    const request = new Request(input, init);
    request.headers.set("origin", page);
    const cookie = cookieHeader(jar);
    if (cookie) request.headers.set("cookie", cookie);
    const response = await fetch(request);
    storeCookies(jar, response.headers.getSetCookie());
    return response;
  };
  return { jar, cookieFetch };
};

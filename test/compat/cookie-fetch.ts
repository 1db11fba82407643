/** `fetch` with the additions of a browser: a cookie jar and the origin of the page. */
export const createCookieFetch = (page: string) => {
  const jar = new Map<string, string>();
  const cookieFetch = async (
    input: string | URL | Request,
    init?: RequestInit,
  ): Promise<Response> => {
    const request = new Request(input, init);
    request.headers.set("origin", page);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    if (cookie) request.headers.set("cookie", cookie);
    const response = await fetch(request);
    for (const line of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split(";");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (attributes.some((attribute) => attribute.trim() === "Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return { jar, cookieFetch };
};

/** The response of a framework, or its headers. */
export type ResponseLike =
  | { readonly headers: { append(name: string, value: string): unknown } }
  | { append(name: string, value: string): unknown }
  | { appendHeader(name: string, value: string): unknown }
  | { header(name: string, value: string, options: { append: true }): unknown };

/**
 * Adds the cookies of a result to the response of your server, so that the browser keeps its extended session, and drops an ended one.
 * Takes a `Response` or its `Headers`, Node's `ServerResponse`, the responses of Express and Fastify, or a context of Hono. Call it
 * before the headers are sent.
 */
export const handBackCookies = (
  response: ResponseLike,
  { setCookies }: { readonly setCookies: readonly string[] },
): void => {
  for (const cookie of setCookies) {
    if ("append" in response) response.append("set-cookie", cookie);
    else if ("appendHeader" in response) response.appendHeader("set-cookie", cookie);
    // Fastify collects cookies in any case. Hono replaces them without the option.
    else if ("header" in response) response.header("set-cookie", cookie, { append: true });
    else response.headers.append("set-cookie", cookie);
  }
};

import { isObject } from "../is-object.ts";

/** Headers in any form: `Headers` of the Fetch API, those of Next.js, or an object as Node has it. */
export type HeaderSource =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * A request of any framework, or its headers: `Request`, `IncomingMessage`, the requests of Express, Koa and Fastify, a context of Hono,
 * or what `headers()` of Next.js returns.
 */
export type RequestLike =
  | { readonly headers: HeaderSource }
  | { readonly req: { readonly raw: { readonly headers: HeaderSource } } }
  | HeaderSource;

/** A header object can have a header with the name `headers` or `req`, but its value is text. */
const headersOf = (request: RequestLike): HeaderSource => {
  if (!isObject(request) || request instanceof Promise)
    throw new TypeError("request: must be a request, or its headers (await `headers()` first)");
  const { headers, req } = request as Record<string, unknown>;
  if (isObject(headers)) return headers as HeaderSource;
  // Before `get`, which Hono's context has for its own variables.
  if (isObject(req) && isObject(req["raw"])) return req["raw"]["headers"] as HeaderSource;
  return request as HeaderSource;
};

const hasGet = (source: HeaderSource): source is { get(name: string): string | null } =>
  typeof source["get"] === "function";

/** Returns a reader of the headers of a request. Names are in lower case. */
export const readHeaders = (request: RequestLike): ((name: string) => string | undefined) => {
  const source = headersOf(request);
  if (hasGet(source)) return (name) => source.get(name) ?? undefined;
  const byName = new Map(
    Object.entries(source).map(([name, value]) => [name.toLowerCase(), value] as const),
  );
  return (name) => {
    const value = byName.get(name);
    // Cookies that arrived in several headers are joined as RFC 9113, section 8.2.3 says.
    return typeof value === "string" ? value : value?.join(name === "cookie" ? "; " : ", ");
  };
};

import type { SerializeOptions } from "@fastify/cookie";
import type { FastifyInstance } from "fastify";
import type { Cookie } from "./describe-cookie.ts";

const asItIs = (value: string) => value;

/** Creates the function that writes a Set-Cookie header. Without `maxAge`, the cookie ends with the browser. */
export const createCookieSerializer =
  (app: FastifyInstance) =>
  ({ name, attributes }: Cookie, value: string, maxAge: number | undefined): string => {
    const { partitioned, ...rest } = attributes;
    const lifetime = maxAge === undefined ? {} : { maxAge };
    // Signed values are already percent-encoded. The schema's types allow undefined for absent members.
    const options = { ...rest, ...lifetime, encode: asItIs } as SerializeOptions;
    const cookie = app.serializeCookie(name, value, options);
    return partitioned ? `${cookie}; Partitioned` : cookie; // last, as existing clients expect
  };

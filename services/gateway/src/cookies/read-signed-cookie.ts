import { type SecretRing, verifySignedValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import { type CookieConfig, type CookieName, describeCookie } from "./describe-cookie.ts";
import { unquoted } from "./unquoted.ts";

/** Creates a reader of one cookie. A value that we did not sign counts as absent. */
export const createSignedCookieReader = (
  app: FastifyInstance,
  { config, ring }: { config: CookieConfig; ring: SecretRing },
  cookie: CookieName,
): ((header: string | undefined) => string | undefined) => {
  const { name } = describeCookie(config, cookie);
  return (header) => {
    const value = header === undefined ? undefined : app.parseCookie(header)[name];
    return value === undefined ? undefined : verifySignedValue(ring, unquoted(value));
  };
};

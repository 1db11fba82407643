import { type SecretRing, verifySignedValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import { type CookieConfig, describeCookie } from "./describe-cookie.ts";
import { unquoted } from "./unquoted.ts";

/** Makes what reads the state of a sign-in at a provider out of a Cookie header; one that we did not sign is none. */
export const createSignInStateReader = (
  app: FastifyInstance,
  { config, ring }: { config: CookieConfig; ring: SecretRing },
): ((header: string | undefined) => string | undefined) => {
  const { name } = describeCookie(config, "state");
  return (header) => {
    const value = header === undefined ? undefined : app.parseCookie(header)[name];
    return value === undefined ? undefined : verifySignedValue(ring, unquoted(value));
  };
};

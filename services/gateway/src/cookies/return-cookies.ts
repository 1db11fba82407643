import { type SessionEffect, WireError } from "@latchkey/contracts";
import { type SecretRing, signValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import { type CookieConfig, describeCookie } from "./describe-cookie.ts";
import { createCookieSerializer } from "./serialize-cookie.ts";

type State = Extract<SessionEffect, { kind: "state" }>;
type Link = Extract<SessionEffect, { kind: "link" }>;

/** Browsers drop a cookie whose name and value are longer (RFC 6265bis, 5.6). */
const cookieCharactersMax = 4096;

/** Creates the writer of the cookies that recognize a browser when it returns from a provider or by a mailed link. */
export const createReturnCookieWriter = (
  app: FastifyInstance,
  { config, ring }: { config: CookieConfig; ring: SecretRing },
) => {
  const serialize = createCookieSerializer(app);
  const stateCookie = describeCookie(config, "state");
  const linkCookie = describeCookie(config, "mailed_link");
  return {
    /** A state that no browser would store is refused now, not when its user returns. */
    writeState: ({ state, maxAgeSeconds }: State): string => {
      if (state === null) return serialize(stateCookie, "", 0);
      const value = signValue(ring, state);
      if (stateCookie.name.length + value.length > cookieCharactersMax)
        throw new WireError("UNABLE_TO_CREATE_VERIFICATION");
      return serialize(stateCookie, value, maxAgeSeconds);
    },
    writeLink: ({ browser, maxAgeSeconds }: Link): string =>
      serialize(linkCookie, signValue(ring, browser), maxAgeSeconds),
  };
};

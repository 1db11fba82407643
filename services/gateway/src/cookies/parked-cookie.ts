import type { SessionEffect } from "@latchkey/contracts";
import { type SecretRing, signValue } from "@latchkey/crypto";
import type { FastifyInstance } from "fastify";
import type { GatewayConfig } from "../config.ts";
import { type CookieConfig, describeCookie } from "./describe-cookie.ts";
import { formatParked, type ParkedSession } from "./parked-session.ts";
import { createCookieSerializer } from "./serialize-cookie.ts";

interface Needs {
  config: CookieConfig & Pick<GatewayConfig, "session">;
  ring: SecretRing;
}

/** Creates the writer of the cookie of a parked session. */
export const createParkedCookieWriter = (app: FastifyInstance, { config, ring }: Needs) => {
  const serialize = createCookieSerializer(app);
  const cookie = describeCookie(config, "admin_session");
  const { expiresIn } = config.session;
  const write = (session: ParkedSession): string =>
    serialize(cookie, signValue(ring, formatParked(session)), expiresIn);
  const clear = (): string => serialize(cookie, "", 0);

  /**
   * Applies an effect to the parked session, and leaves the cookies of the impersonation as they are. Returns undefined for an effect on
   * other cookies.
   */
  const writeBesides = (effect: SessionEffect): string[] | undefined => {
    if (effect.kind === "cache") return []; // only the session in the browser's own cookie has a cache
    if (effect.kind === "issue" && effect.unparks) return undefined; // of another user, who takes over the browser
    if (effect.kind === "issue")
      return [write({ token: effect.token, browserSession: effect.maxAgeSeconds === null })];
    if (effect.kind !== "clear") return undefined;
    // A user who waits for a second factor is proving who they are again, in the session that they have.
    return effect.keeps?.twoFactor ? [] : [clear()];
  };
  return { write, clear, writeBesides };
};

import type { SessionEffect } from "@latchkey/contracts";
import { type SecretRing, signValue } from "@latchkey/crypto";
import type { GatewayConfig } from "../config.ts";
import { formatParked, type ParkedSession } from "./parked-session.ts";
import type { CookieWriter } from "./write-cookie.ts";

interface Needs {
  config: Pick<GatewayConfig, "session">;
  ring: SecretRing;
}

/** Creates the writer of the cookie of a parked session. */
export const createParkedCookieWriter = ({ config, ring }: Needs) => {
  const { expiresIn } = config.session;
  const write = (writer: CookieWriter, session: ParkedSession): string[] =>
    writer.set("admin_session", signValue(ring, formatParked(session)), expiresIn);

  /**
   * Applies an effect to the parked session, and leaves the cookies of the impersonation as they are. Returns undefined for an effect on
   * other cookies.
   */
  const writeBesides = (writer: CookieWriter, effect: SessionEffect): string[] | undefined => {
    if (effect.kind === "cache") return []; // only the session in the browser's own cookie has a cache
    if (effect.kind === "issue" && effect.unparks) return undefined; // of another user, who takes over the browser
    if (effect.kind === "issue")
      return write(writer, { token: effect.token, browserSession: effect.maxAgeSeconds === null });
    if (effect.kind !== "clear") return undefined;
    // A user who waits for a second factor is proving who they are again, in the session that they have.
    return effect.keeps?.twoFactor ? [] : writer.clear("admin_session");
  };
  return { write, writeBesides };
};

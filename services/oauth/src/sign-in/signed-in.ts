import { type Authentication, type Caller, signInMethods, WireError } from "@latchkey/contracts";
import { hashToken } from "@latchkey/crypto";
import type { SignedIn } from "../engine/work.ts";

/** Returns the name of RFC 8176. A session names a provider, as `social:github`. */
const referenceOf = (method: string): string =>
  signInMethods[method.split(":", 1)[0] as keyof typeof signInMethods]?.amr ?? "otp";

const describe = ({ authenticatedAt, secondFactorAt, methods }: Authentication) => ({
  authenticatedAt: new Date(authenticatedAt),
  amr: [
    ...new Set([
      ...methods.filter((name) => name !== "device").map(referenceOf),
      ...(secondFactorAt === null ? [] : ["mfa"]),
    ]),
  ],
  acr: secondFactorAt === null ? "urn:latchkey:aal1" : "urn:latchkey:aal2",
});

/**
 * Returns the user of a browser. A guest is nobody yet. An impersonator must not sign in elsewhere as the user, and a key is no user.
 */
export const signedInOf = ({ resolved, sessionToken, apiKeyId }: Caller): SignedIn | undefined => {
  if (!resolved?.authentication || sessionToken === undefined || apiKeyId !== undefined)
    return undefined;
  const { session, user, authentication } = resolved;
  if (user["isAnonymous"] === true || session["impersonatedBy"]) return undefined;
  return {
    sessionId: hashToken(sessionToken).toString("hex"),
    userId: String(user["id"]),
    ...describe(authentication),
  };
};

/** Throws `UNAUTHORIZED` for a session in which nobody signs in elsewhere. */
export const signedInAs = (caller: Caller): SignedIn => {
  const session = signedInOf(caller);
  if (!session) throw new WireError("UNAUTHORIZED");
  return session;
};

import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import type { SecretRing } from "./secret-ring.ts";

/** What an e-mail verification token vouches for; `updateTo` is the address that replaces `email`. */
export interface VerificationClaims {
  readonly email: string;
  readonly updateTo?: string;
}

/** Outcome of checking a token; `token_expired` is said only of a token with a good signature. */
export type VerifiedVerificationToken =
  | ({ readonly ok: true } & VerificationClaims)
  | { readonly ok: false; readonly reason: "token_expired" | "invalid_token" };

/** A compact HS256 JWS with the e-mail in lower case, `updateTo` when given, `iat` and `exp` in whole epoch seconds. */
export async function signVerificationToken(
  ring: SecretRing,
  claims: VerificationClaims,
  lifetime: { readonly now: Date; readonly expiresInSeconds: number },
): Promise<string> {
  const issuedAt = Math.floor(lifetime.now.getTime() / 1000);
  const { email, updateTo } = claims;
  return new SignJWT({ email: email.toLowerCase(), ...(updateTo !== undefined && { updateTo }) })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime.expiresInSeconds)
    .sign(ring.hmacKeys[0]);
}

/** Three base64url parts; the last character of a 32-byte signature has two spare bits, which must be zero. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Checks a token against every secret of the ring, without clock tolerance: `exp` equal to `now` is expired, and a
 * token without `exp` does not expire. Stateless: the same token verifies until then.
 */
export async function verifyVerificationToken(
  ring: SecretRing,
  token: string,
  now: Date,
): Promise<VerifiedVerificationToken> {
  if (!compactForm.test(token)) return { ok: false, reason: "invalid_token" };
  for (const key of ring.hmacKeys) {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ["HS256"],
        clockTolerance: 0,
        currentDate: now,
      });
      return readClaims(payload);
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue;
      if (error instanceof errors.JWTExpired) return { ok: false, reason: "token_expired" };
      if (error instanceof errors.JOSEError) return { ok: false, reason: "invalid_token" };
      throw error;
    }
  }
  return { ok: false, reason: "invalid_token" };
}

function readClaims({ email, updateTo }: JWTPayload): VerifiedVerificationToken {
  if (typeof email !== "string" || email === "") return { ok: false, reason: "invalid_token" };
  if (updateTo === undefined) return { ok: true, email };
  return typeof updateTo === "string"
    ? { ok: true, email, updateTo }
    : { ok: false, reason: "invalid_token" };
}

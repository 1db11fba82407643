import type { JWTPayload } from "jose";
import type { SecretRing } from "./secret-ring.ts";

/** The claims of an email verification token. */
export interface VerificationClaims {
  readonly email: string;
  /** The address that replaces `email`. */
  readonly updateTo?: string;
  /** The id of the stored row that makes the token single-use (`jti`). Tokens of other issuers have none. */
  readonly id?: string;
  /** Hash of the value that identifies the browser which requested the token. */
  readonly browser?: string;
  /** Whether that browser had signed up, or had submitted the password. */
  readonly byUser?: boolean;
}

/** Loaded at the first token, because it takes memory in processes that never see one. */
const loadJose = () => import("jose");

/** Outcome of verifying a token. `token_expired` is reported only for a token with a valid signature. */
export type VerifiedVerificationToken =
  | ({
      readonly ok: true;
      /** Both undefined if the token does not contain them. */
      readonly issuedAt: Date | undefined;
      readonly expiresAt: Date | undefined;
    } & VerificationClaims)
  | { readonly ok: false; readonly reason: "token_expired" | "invalid_token" };

/**
 * Returns a compact HS256 JWS with the email in lower case, the other claims if given, and `iat` and `exp` in integer epoch seconds. With
 * only an email and `updateTo`, it is byte-compatible with the token of the reference implementation.
 */
export async function signVerificationToken(
  ring: SecretRing,
  claims: VerificationClaims,
  lifetime: { readonly now: Date; readonly expiresInSeconds: number },
): Promise<string> {
  const issuedAt = Math.floor(lifetime.now.getTime() / 1000);
  const { email, updateTo, id, browser, byUser } = claims;
  const { SignJWT } = await loadJose();
  return new SignJWT({
    email: email.toLowerCase(),
    ...(updateTo !== undefined && { updateTo }),
    ...(id !== undefined && { jti: id }),
    ...(browser !== undefined && { browser }),
    ...(byUser && { byUser }),
  })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime.expiresInSeconds)
    .sign(ring.hmacKeys[0]);
}

/** Three base64url parts. The last character of a 32-byte signature has two spare bits, which must be zero. */
const compactForm = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/**
 * Verifies a token against every secret of the ring, without clock tolerance: `exp` equal to `now` is expired, and a token without `exp`
 * does not expire. The check is stateless: the caller must ensure that a token is used only once.
 */
export async function verifyVerificationToken(
  ring: SecretRing,
  token: string,
  now: Date,
): Promise<VerifiedVerificationToken> {
  if (!compactForm.test(token)) return { ok: false, reason: "invalid_token" };
  const { errors, jwtVerify } = await loadJose();
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

const dateOf = (seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : new Date(seconds * 1000);

function readClaims(payload: JWTPayload): VerifiedVerificationToken {
  const { email, updateTo, jti, browser, byUser, iat, exp } = payload;
  if (typeof email !== "string" || email === "") return { ok: false, reason: "invalid_token" };
  if (updateTo !== undefined && typeof updateTo !== "string")
    return { ok: false, reason: "invalid_token" };
  return {
    ok: true,
    email,
    ...(updateTo !== undefined && { updateTo }),
    ...(jti !== undefined && { id: jti }),
    ...(typeof browser === "string" && { browser }),
    ...(byUser === true && { byUser }),
    issuedAt: dateOf(iat),
    expiresAt: dateOf(exp),
  };
}

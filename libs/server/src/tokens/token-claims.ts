/** The verified payload of a signed token. By default it has the members of the user too. */
export interface TokenClaims {
  /** The id of the user. */
  sub: string;
  iss: string;
  aud: string | string[];
  /** Seconds since 1970. */
  exp: number;
  /** Present in an impersonation: `sub` is the id of the admin. */
  act?: { sub: string };
  [claim: string]: unknown;
}

/** The reason for which a signed token is refused. */
export type TokenRefusal =
  /** Not a JWT, or one of another kind. */
  | "malformed"
  /** Signed by a key that Latchkey does not publish. */
  | "unknown-key"
  | "wrong-signature"
  | "expired"
  /** Its claim `nbf` is in the future. */
  | "not-yet-valid"
  | "wrong-issuer"
  | "wrong-audience";

/** The outcome of the verification of a signed token. */
export type TokenVerification =
  | { ok: true; claims: TokenClaims }
  | { ok: false; reason: TokenRefusal };

import { isObject } from "../is-object.ts";
import type { KeySet } from "./key-set.ts";
import type { TokenClaims, TokenRefusal, TokenVerification } from "./token-claims.ts";

export interface TokenRules {
  /** Undefined accepts the issuer that the published keys have signed: only its own Latchkey holds them. */
  issuers: readonly string[] | undefined;
  /** Undefined accepts the issuer itself, which is Latchkey's default. */
  audiences: readonly string[] | undefined;
  /** The `typ` that the header must have. Undefined accepts each. */
  type?: string | undefined;
  /** By how much the clocks of this server and of Latchkey may differ. */
  clockToleranceSeconds: number;
}

/** Longer than any token that a header can carry. */
const lengthMax = 16_384;
const base64url = "[A-Za-z0-9_-]+";
const form = new RegExp(`^(${base64url})\\.(${base64url})\\.(${base64url})$`);

/** Returns whether a text has the form of a JWT. The tokens of sessions do not. */
export const isJwt = (text: string): boolean => text.startsWith("eyJ") && form.test(text);

const decodeBytes = (part: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

/** Returns undefined unless the part is an object in JSON. */
const decodeObject = (part: string): Record<string, unknown> | undefined => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(decodeBytes(part));
    const value: unknown = JSON.parse(text);
    return isObject(value) && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const decodeSignature = (part: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return decodeBytes(part);
  } catch {
    return undefined;
  }
};

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");

const isNumber = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value);

const isClaims = (payload: Record<string, unknown>): payload is TokenClaims => {
  const { sub, iss, aud, exp, nbf } = payload;
  return (
    typeof sub === "string" &&
    sub !== "" &&
    typeof iss === "string" &&
    (typeof aud === "string" || isTextList(aud)) &&
    isNumber(exp) &&
    (nbf === undefined || isNumber(nbf))
  );
};

/** Checks the claims as RFC 7519, section 4.1 says. */
const refusalOf = (
  { iss, aud, exp, nbf }: TokenClaims,
  { issuers, audiences, clockToleranceSeconds: tolerance }: TokenRules,
  nowSeconds: number,
): TokenRefusal | undefined => {
  if (issuers && !issuers.includes(iss)) return "wrong-issuer";
  if (![aud].flat().some((one) => (audiences ?? [iss]).includes(one))) return "wrong-audience";
  if (nowSeconds >= exp + tolerance) return "expired";
  return isNumber(nbf) && nbf > nowSeconds + tolerance ? "not-yet-valid" : undefined;
};

/** Returns the reason to refuse a token before its claims are read, or undefined. Rejects if its key is not known now. */
const checkSignature = async (
  [, header = "", payload = "", end = ""]: readonly string[],
  { keys, type }: { keys: KeySet; type: string | undefined },
): Promise<TokenRefusal | undefined> => {
  const { alg, kid, crit, typ } = decodeObject(header) ?? {};
  const signature = decodeSignature(end);
  // No extension is understood, so each critical one is refused (RFC 7515, section 4.1.11).
  if (typeof alg !== "string" || typeof kid !== "string" || crit !== undefined || !signature)
    return "malformed";
  if (type !== undefined && typ !== type) return "malformed";
  const key = await keys.find(kid);
  if (!key) return "unknown-key";
  // The key decides the algorithm, never the token (RFC 8725, section 3.1).
  if (key.alg !== alg) return "malformed";
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  return (await key.verify(signature, signed)) ? undefined : "wrong-signature";
};

/** Verifies a signed token. Rejects only if the published keys cannot be fetched. */
export const verifyToken = async (
  token: unknown,
  { keys, rules, now }: { keys: KeySet; rules: TokenRules; now: number },
): Promise<TokenVerification> => {
  const malformed = { ok: false, reason: "malformed" } as const;
  if (typeof token !== "string" || token.length > lengthMax) return malformed;
  const parts = form.exec(token);
  const claims = decodeObject(parts?.[2] ?? "");
  if (!parts || !claims || !isClaims(claims)) return malformed;
  const reason =
    (await checkSignature(parts, { keys, type: rules.type })) ??
    refusalOf(claims, rules, Math.floor(now / 1_000));
  return reason ? { ok: false, reason } : { ok: true, claims };
};

import { decodeBase64url } from "./decode-base64url.ts";
import { hmacSha256 } from "./hmac-sha256.ts";
import type { SecretRing } from "./secret-ring.ts";
import { verifyMac } from "./verify-mac.ts";

/** Maximum length of the value. Browsers drop cookies that are much larger, including name and attributes. */
const valueCharactersMax = 4093;

/** The decoded session cookie cache. All values are JSON, so times in it are ISO texts. */
export interface SessionData {
  readonly session: {
    readonly session: Readonly<Record<string, unknown>>;
    readonly user: Readonly<Record<string, unknown>>;
    /**
     * The user's revision when the session was read. The cache is invalid once a later revision exists. Absent if revisions are not tracked.
     */
    readonly epoch?: number;
  };
  /** Expiry of the cache, in epoch milliseconds. The session itself expires separately. */
  readonly expiresAt: number;
}

/** Outcome of reading a cookie. `malformed` is a value that is not even JSON; every other forgery is `bad-signature`. */
export type DecodedSessionData =
  | { readonly ok: true; readonly data: SessionData }
  | { readonly ok: false; readonly reason: "malformed" | "bad-signature" | "expired" };

/** The session and user are too large to be cached in a cookie. */
export class SessionDataTooLargeError extends Error {
  override readonly name = "SessionDataTooLargeError";
}

/**
 * Encodes the session cookie cache: unpadded base64url of `{"session":{"session","user"},"expiresAt","signature"}`. The signature covers
 * `{"session","user","expiresAt"}`. An `epoch` follows `user` in both. The caller computes `expiresAt`, in epoch milliseconds, once. Throws
 * `SessionDataTooLargeError` above 4093 characters, and `TypeError` if `expiresAt` or `epoch` is not an integer.
 */
export function encodeSessionData(
  ring: SecretRing,
  data: {
    readonly session: { readonly session: object; readonly user: object; readonly epoch?: number };
    readonly expiresAt: number;
  },
): string {
  const { session, user, epoch } = data.session;
  const json = JSON.stringify({ session, user });
  return encodeSessionJson(ring, { json, epoch, expiresAt: data.expiresAt });
}

/** Does the same as `encodeSessionData` for a `json` text with exactly the members `session` and `user`, which it does not parse. */
export function encodeSessionJson(
  ring: SecretRing,
  { json, epoch, expiresAt }: { json: string; epoch: number | undefined; expiresAt: number },
): string {
  if (!isCount(expiresAt)) throw new TypeError("expiresAt must be epoch milliseconds");
  if (epoch !== undefined && !isCount(epoch)) throw new TypeError("epoch must be a whole number");

  const inner = epoch === undefined ? json : `${json.slice(0, -1)},"epoch":${epoch}}`;
  const signed = `${inner.slice(0, -1)},"expiresAt":${expiresAt}}`;
  const signature = hmacSha256(ring.hmacKeys[0], signed, "base64url");
  const text = `{"session":${inner},"expiresAt":${expiresAt},"signature":"${signature}"}`;
  const value = Buffer.from(text).toString("base64url");
  if (value.length > valueCharactersMax) {
    throw new SessionDataTooLargeError(
      `session data takes ${value.length} of ${valueCharactersMax} characters`,
    );
  }
  return value;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** The frame from `encodeSessionData`. The first group is greedy, so the last `expiresAt` is the real one. */
const frame = /^\{"session":(\{.*)\},"expiresAt":(\d{1,16}),"signature":"([\w-]{43})"\}$/s;

/**
 * Decodes a value from `encodeSessionData` under any secret of the ring. It is expired if `expiresAt` is before `now`. The signature is
 * verified over the received bytes before they are parsed, so the order of members is irrelevant. The caller must check whether the
 * session is still active and belongs to the session token.
 */
export function decodeSessionData(ring: SecretRing, value: string, now: Date): DecodedSessionData {
  const bytes = value.length > valueCharactersMax ? undefined : decodeBase64url(value);
  if (bytes === undefined) return { ok: false, reason: "malformed" };

  // Latin-1 maps bytes to characters one to one, so the matched text is exactly the signed one.
  const [, head, expiry, signature] = frame.exec(bytes.toString("latin1")) ?? [];
  if (head === undefined || expiry === undefined || signature === undefined) return refuse(bytes);
  const signed = Buffer.from(`${head},"expiresAt":${expiry}}`, "latin1");
  if (!verifyMac(ring, signed, { text: signature, encoding: "base64url" })) return refuse(bytes);

  const expiresAt = Number(expiry);
  if (expiresAt < now.getTime()) return { ok: false, reason: "expired" };
  const session = JSON.parse(
    Buffer.from(`${head}}`, "latin1").toString(),
  ) as SessionData["session"]; // signed by us
  return { ok: true, data: { session, expiresAt } };
}

function refuse(bytes: Buffer): DecodedSessionData {
  try {
    JSON.parse(bytes.toString());
    return { ok: false, reason: "bad-signature" };
  } catch {
    return { ok: false, reason: "malformed" };
  }
}

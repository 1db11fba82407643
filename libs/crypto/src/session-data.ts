import { createHmac } from "node:crypto";
import { decodeBase64url } from "./decode-base64url.ts";
import type { SecretRing } from "./secret-ring.ts";
import { verifyMac } from "./verify-mac.ts";

/** Longest value: with its name and attributes beside it, a browser keeps no cookie much larger. */
const valueCharactersMax = 4093;

/** What the session cache cookie carries once read: JSON values, so times inside are ISO texts. */
export interface SessionData {
  readonly session: {
    readonly session: Readonly<Record<string, unknown>>;
    readonly user: Readonly<Record<string, unknown>>;
    /** The user's when this was read: a copy of before a later one is good for nothing. Absent where nobody counts. */
    readonly epoch?: number;
  };
  /** End of the cached copy, epoch milliseconds; not the end of the session. */
  readonly expiresAt: number;
}

/** Outcome of reading a cookie; `malformed` is what is not even JSON, every other forgery is `bad-signature`. */
export type DecodedSessionData =
  | { readonly ok: true; readonly data: SessionData }
  | { readonly ok: false; readonly reason: "malformed" | "bad-signature" | "expired" };

/** The session and user are too large to be cached in a cookie. */
export class SessionDataTooLargeError extends Error {
  override readonly name = "SessionDataTooLargeError";
}

/**
 * The session cache cookie: unpadded base64url of `{"session":{"session","user"},"expiresAt","signature"}`, where the
 * signature covers `{"session","user","expiresAt"}`; an `epoch` follows `user` in both. `expiresAt` is epoch milliseconds,
 * computed once by the caller. Throws `SessionDataTooLargeError` above 4093 characters, `TypeError` when `expiresAt` or
 * `epoch` is no whole number.
 */
export function encodeSessionData(
  ring: SecretRing,
  data: {
    readonly session: { readonly session: object; readonly user: object; readonly epoch?: number };
    readonly expiresAt: number;
  },
): string {
  const { session, user, epoch } = data.session;
  const { expiresAt } = data;
  if (!isCount(expiresAt)) throw new TypeError("expiresAt must be epoch milliseconds");
  if (epoch !== undefined && !isCount(epoch)) throw new TypeError("epoch must be a whole number");

  const inner = JSON.stringify({ session, user, epoch });
  const signature = createHmac("sha256", ring.hmacKeys[0])
    .update(`${inner.slice(0, -1)},"expiresAt":${expiresAt}}`)
    .digest("base64url");
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

/** The frame as written by `encodeSessionData`; the first group is greedy, so the last `expiresAt` is the real one. */
const frame = /^\{"session":(\{.*)\},"expiresAt":(\d{1,16}),"signature":"([\w-]{43})"\}$/s;

/**
 * Reads what `encodeSessionData` wrote with any secret of the ring; expired when `expiresAt` lies before `now`. The
 * signature is checked over the received bytes before anything is taken from them, so member order is no matter.
 * Whether the session inside is still alive, or belongs to the token beside it, is the caller's to check.
 */
export function decodeSessionData(ring: SecretRing, value: string, now: Date): DecodedSessionData {
  const bytes = value.length > valueCharactersMax ? undefined : decodeBase64url(value);
  if (bytes === undefined) return { ok: false, reason: "malformed" };

  // Latin-1 maps bytes to characters one to one, so what is matched is exactly what is signed.
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

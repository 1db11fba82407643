import { timingSafeEqual } from "node:crypto";
import { type Caller, callerLifetimeSeconds } from "@latchkey/contracts";
import { hmacSha256, type SecretRing } from "@latchkey/crypto";
import { type UnsignedCaller, writeCaller } from "./caller-signature.ts";

/** Path of the call with which the gateway sends several requests to their owner. */
export const sharedCallPath = "/internal/shared-call";

/** Carries the expiry and the signature of a shared call. */
export const sharedCallHeader = "x-latchkey-shared-call";

const purpose = "shared call";

/** One request of a shared call. Its caller names the operation. */
export interface SharedRequest {
  caller: Caller;
  /** As the gateway parsed it. Absent if empty. */
  query?: Record<string, unknown>;
  /** JSON text. Absent without a body. */
  body?: string;
}

/** The answer to one of the requests. */
export interface SharedAnswer {
  status: number;
  headers: Record<string, string>;
  /** JSON text. */
  body: string;
}

/** Writes a request as JSON text. The requests of a call form a JSON array. */
export const writeSharedRequest = ({
  caller,
  query,
  body,
}: {
  caller: UnsignedCaller;
  query?: object | undefined;
  body?: string | undefined;
}): string => {
  const queryPart = query === undefined ? "" : `,"query":${JSON.stringify(query)}`;
  const bodyPart = body === undefined ? "" : `,"body":${JSON.stringify(body)}`;
  return `{"caller":${writeCaller(caller)}${queryPart}${bodyPart}}`;
};

const messageOf = (expiresAt: string, call: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${expiresAt}.`), call]);

/** Signs a whole call, so its callers need no signatures of their own. It expires as a signed caller does. */
export const signSharedCall = (ring: SecretRing, call: Uint8Array, now: number): string => {
  const expiresAt = String(now + callerLifetimeSeconds * 1000);
  return `${expiresAt}.${hmacSha256(ring.derive(purpose)[0], messageOf(expiresAt, call), "base64url")}`;
};

const isSigned = (ring: SecretRing, message: Buffer, signature: string): boolean => {
  const actual = Buffer.from(signature, "latin1");
  return ring.derive(purpose).some((key) => {
    const expected = Buffer.from(hmacSha256(key, message, "base64url"), "latin1");
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
};

/** Returns the requests of a call, or undefined if its signature is invalid or has expired at `now`. */
export const readSharedCall = (
  ring: SecretRing,
  { call, signed }: { call: Buffer; signed: string },
  now: number,
): SharedRequest[] | undefined => {
  const dot = signed.indexOf(".");
  const expiresAt = signed.slice(0, dot);
  if (dot < 1 || !isSigned(ring, messageOf(expiresAt, call), signed.slice(dot + 1)))
    return undefined;
  // Only our gateway can have signed it, so its shape is not validated again on the hot path.
  return Number(expiresAt) > now ? (JSON.parse(call.toString()) as SharedRequest[]) : undefined;
};

/** The status, headers and text length of an answer. The texts follow, because JSON text within JSON would be escaped. */
type Head = [status: number, headers: Record<string, string>, length: number] | null;

/** Writes the answers in the order of their requests. Undefined marks a request that must be forwarded alone. */
export const writeSharedAnswers = (answers: readonly (SharedAnswer | undefined)[]): string => {
  const heads = answers.map((answer): Head =>
    answer ? [answer.status, answer.headers, answer.body.length] : null,
  );
  const bodies = answers.map((answer) => answer?.body ?? "");
  return `${JSON.stringify(heads)}\n${bodies.join("")}`;
};

/** Reads what `writeSharedAnswers` wrote. */
export const readSharedAnswers = (text: string): (SharedAnswer | undefined)[] => {
  const headsEnd = text.indexOf("\n");
  const heads = JSON.parse(text.slice(0, headsEnd)) as Head[];
  let at = headsEnd + 1;
  return heads.map((head) => {
    if (!head) return undefined;
    const [status, headers, length] = head;
    const body = text.slice(at, at + length);
    at += length;
    return { status, headers, body };
  });
};

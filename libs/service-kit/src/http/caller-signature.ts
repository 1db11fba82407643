import { type KeyObject, timingSafeEqual } from "node:crypto";
import { type Caller, callerLifetimeSeconds } from "@latchkey/contracts";
import { hmacSha256, type SecretRing } from "@latchkey/crypto";

const purpose = "caller";

const mac = (key: KeyObject, payload: string): string => hmacSha256(key, payload, "base64url");

/** A caller to sign, with `resolved` as JSON text, so that the text of identity or of a cached session passes unchanged. */
export type UnsignedCaller = Omit<Caller, "resolved"> & { resolved?: string | undefined };

/** Returns a caller as JSON text. `expiresAt` is part of it if given. */
export const writeCaller = (
  { resolved, ...caller }: UnsignedCaller,
  expiresAt?: number,
): string => {
  const json = JSON.stringify({ ...caller, expiresAt });
  return resolved === undefined ? json : `${json.slice(0, -1)},"resolved":${resolved}}`;
};

/** Returns the claim as a header may carry it: as it is if it has only printable ASCII, otherwise encoded. */
const writePayload = (claim: string): string =>
  /^[ -~]*$/.test(claim) ? claim : Buffer.from(claim).toString("base64url");

const readPayload = (payload: string): string =>
  payload.startsWith("{") ? payload : Buffer.from(payload, "base64url").toString();

/** Signs a caller for `callerLifetimeSeconds` from `now` (ms since the epoch). */
export const signCaller = (ring: SecretRing, caller: UnsignedCaller, now: number): string => {
  const payload = writePayload(writeCaller(caller, now + callerLifetimeSeconds * 1000));
  return `${payload}.${mac(ring.derive(purpose)[0], payload)}`;
};

const isSigned = (ring: SecretRing, payload: string, signature: string): boolean => {
  const actual = Buffer.from(signature, "latin1");
  return ring.derive(purpose).some((key) => {
    const expected = Buffer.from(mac(key, payload), "latin1");
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
};

/** Returns the caller if its signature is valid, it has not expired at `now`, and it was signed for `operation`. */
export const verifyCaller = (
  ring: SecretRing,
  header: string,
  { operation, now }: { operation: string; now: number },
): Caller | undefined => {
  const dot = header.lastIndexOf(".");
  if (dot < 1) return undefined;
  const payload = header.slice(0, dot);
  if (!isSigned(ring, payload, header.slice(dot + 1))) return undefined;
  // Only our gateway can have signed it, so its shape is not validated again on the hot path.
  const claimed = JSON.parse(readPayload(payload)) as Caller & { expiresAt: number };
  return claimed.expiresAt > now && claimed.operation === operation ? claimed : undefined;
};

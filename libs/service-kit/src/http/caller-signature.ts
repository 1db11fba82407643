import { type KeyObject, timingSafeEqual } from "node:crypto";
import { type Caller, callerLifetimeSeconds } from "@latchkey/contracts";
import { hmacSha256, type SecretRing } from "@latchkey/crypto";

const purpose = "caller";

const mac = (key: KeyObject, payload: string): string => hmacSha256(key, payload, "base64url");

/** Signs a caller for `callerLifetimeSeconds` from `now` (ms since the epoch). */
export const signCaller = (ring: SecretRing, caller: Caller, now: number): string => {
  const payload = JSON.stringify({ ...caller, expiresAt: now + callerLifetimeSeconds * 1000 });
  const encoded = Buffer.from(payload).toString("base64url");
  return `${encoded}.${mac(ring.derive(purpose)[0], encoded)}`;
};

const isSigned = (ring: SecretRing, payload: string, signature: string): boolean => {
  const given = Buffer.from(signature, "latin1");
  return ring.derive(purpose).some((key) => {
    const expected = Buffer.from(mac(key, payload), "latin1");
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
};

/** Returns the caller if its signature is valid, it has not expired at `now`, and it was signed for `operation`. */
export const verifyCaller = (
  ring: SecretRing,
  header: string,
  { operation, now }: { operation: string; now: number },
): Caller | undefined => {
  const dot = header.indexOf(".");
  if (dot < 1) return undefined;
  const encoded = header.slice(0, dot);
  if (!isSigned(ring, encoded, header.slice(dot + 1))) return undefined;
  // Only our gateway can have signed it, so its shape is not validated again on the hot path.
  const claimed = JSON.parse(Buffer.from(encoded, "base64url").toString()) as Caller & {
    expiresAt: number;
  };
  return claimed.expiresAt > now && claimed.operation === operation ? claimed : undefined;
};

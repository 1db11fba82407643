import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import { type Caller, callerLifetimeSeconds } from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";

const purpose = "caller";

const mac = (key: KeyObject, payload: string) => createHmac("sha256", key).update(payload).digest();

/** Signs a caller for `callerLifetimeSeconds` from `now` (ms since the epoch). */
export const signCaller = (ring: SecretRing, caller: Caller, now: number): string => {
  const payload = JSON.stringify({ ...caller, expiresAt: now + callerLifetimeSeconds * 1000 });
  const encoded = Buffer.from(payload).toString("base64url");
  return `${encoded}.${mac(ring.derive(purpose)[0], encoded).toString("base64url")}`;
};

const isSigned = (ring: SecretRing, payload: string, signature: Buffer) =>
  ring.derive(purpose).some((key) => {
    const expected = mac(key, payload);
    return expected.length === signature.length && timingSafeEqual(expected, signature);
  });

/** The caller, if its signature is ours, it is still alive at `now`, and it was meant for `operation`. */
export const verifyCaller = (
  ring: SecretRing,
  header: string,
  { operation, now }: { operation: string; now: number },
): Caller | undefined => {
  const dot = header.indexOf(".");
  if (dot < 1) return undefined;
  const encoded = header.slice(0, dot);
  if (!isSigned(ring, encoded, Buffer.from(header.slice(dot + 1), "base64url"))) return undefined;
  // Signed by a gateway of ours, so its shape is that of `callerSchema` and is not checked again on the hot path.
  const claimed = JSON.parse(Buffer.from(encoded, "base64url").toString()) as Caller & {
    expiresAt: number;
  };
  return claimed.expiresAt > now && claimed.operation === operation ? claimed : undefined;
};

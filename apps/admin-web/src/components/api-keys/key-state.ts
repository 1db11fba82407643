import type { BadgeTone } from "@latchkey/ui/components/badge.tsx";
import type { ApiKey } from "./api-key.ts";

type Judged = Pick<
  ApiKey,
  "enabled" | "disabledByAdmin" | "expiresAt" | "remaining" | "refillAmount" | "successorId"
>;

interface KeyState {
  readonly label: string;
  readonly tone: BadgeTone;
}

/** Returns whether a key can be used now. Considers only the key itself, not its owner. */
export const keyState = (key: Judged, now: Date): KeyState => {
  const isExpired = key.expiresAt !== null && new Date(key.expiresAt) <= now;
  if (key.disabledByAdmin) return { label: "Disabled by admin", tone: "warning" };
  // A re-roll without a grace period disables the old key, too.
  if (key.successorId !== null)
    return { label: isExpired ? "Expired" : "Retired", tone: "warning" };
  if (!key.enabled) return { label: "Disabled", tone: "warning" };
  if (isExpired) return { label: "Expired", tone: "warning" };
  if (key.remaining === 0 && key.refillAmount === null)
    return { label: "Used up", tone: "warning" };
  return { label: "Active", tone: "success" };
};

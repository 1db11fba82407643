import type { BadgeTone } from "../ui/badge.tsx";
import type { ApiKey } from "./use-api-keys.ts";

type Judged = Pick<
  ApiKey,
  "enabled" | "disabledByAdmin" | "expiresAt" | "remaining" | "refillAmount"
>;

interface KeyState {
  readonly label: string;
  readonly tone: BadgeTone;
}

/** Returns whether a key can be used now. Considers only the key itself, not its owner. */
export const keyState = (key: Judged, now: Date): KeyState => {
  if (key.disabledByAdmin) return { label: "Disabled by admin", tone: "danger" };
  if (!key.enabled) return { label: "Disabled", tone: "danger" };
  if (key.expiresAt !== null && new Date(key.expiresAt) <= now)
    return { label: "Expired", tone: "warning" };
  if (key.remaining === 0 && key.refillAmount === null)
    return { label: "Used up", tone: "warning" };
  return { label: "Active", tone: "success" };
};

import type { BadgeTone } from "@latchkey/ui/components/badge.tsx";
import type { ApiKey } from "./api-key.ts";
import { t } from "../../texts.ts";

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
  if (key.disabledByAdmin) return { label: t("keyStates.disabledByAdmin"), tone: "warning" };
  // A re-roll without a grace period disables the old key, too.
  if (key.successorId !== null)
    return { label: isExpired ? t("keyStates.expired") : t("keyStates.retired"), tone: "warning" };
  if (!key.enabled) return { label: t("keyStates.disabled"), tone: "warning" };
  if (isExpired) return { label: t("keyStates.expired"), tone: "warning" };
  if (key.remaining === 0 && key.refillAmount === null)
    return { label: t("keyStates.usedUp"), tone: "warning" };
  return { label: t("keyStates.active"), tone: "success" };
};

import type { EventData } from "@latchkey/contracts";
import type { Wording } from "../languages/wording.ts";
import { type Mail, notice } from "./mail.ts";

/** Notifies the user that the second factor was turned on. */
export const twoFactorEnabledMail = (
  wording: Wording,
  { name }: EventData<"two-factor.enabled">,
): Mail => notice(wording, { texts: "twoFactorEnabled", name });

/** Notifies the user that the second factor was turned off. */
export const twoFactorDisabledMail = (
  wording: Wording,
  { name }: EventData<"two-factor.disabled">,
): Mail => notice(wording, { texts: "twoFactorDisabled", name });

/** Notifies the user that an admin removed the second factor. */
export const twoFactorResetMail = (
  wording: Wording,
  { name }: EventData<"two-factor.reset">,
): Mail => notice(wording, { texts: "twoFactorReset", name });

/** Notifies the user that wrong codes locked the second factor. */
export const twoFactorLockedMail = (
  wording: Wording,
  { name, lockedUntil }: EventData<"two-factor.locked">,
): Mail =>
  notice(wording, { texts: "twoFactorLocked", name, values: { time: wording.time(lockedUntil) } });

/** Notifies the user that a second factor will be required. */
export const twoFactorRequiredMail = (
  wording: Wording,
  { name, requiredFrom }: EventData<"two-factor.required">,
): Mail =>
  notice(wording, {
    texts: "twoFactorRequired",
    name,
    values: { time: wording.time(requiredFrom) },
  });

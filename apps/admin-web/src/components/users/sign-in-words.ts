import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { t } from "../../texts.ts";

type RefusalReason = CallReply<
  typeof operations.identity.adminReadSignInMethods
>["refusals"][number]["reason"];

/** The reasons of refused sign-ins, as headings name them. */
export const refusalTexts: Readonly<Record<RefusalReason, string>> = {
  "wrong-password": t("signIns.refusals.wrong-password"),
  "wrong-code": t("signIns.refusals.wrong-code"),
  "wrong-second-factor": t("signIns.refusals.wrong-second-factor"),
  "second-factor-missing": t("signIns.refusals.second-factor-missing"),
  "second-factor-locked": t("signIns.refusals.second-factor-locked"),
  banned: t("signIns.refusals.banned"),
  "password-compromised": t("signIns.refusals.password-compromised"),
  "address-not-verified": t("signIns.refusals.address-not-verified"),
  "rate-limited": t("signIns.refusals.rate-limited"),
  "passkey-refused": t("signIns.refusals.passkey-refused"),
  "provider-refused": t("signIns.refusals.provider-refused"),
  other: t("signIns.refusals.other"),
};

/** Says how often something happened. */
export const timesText = (count: number): string =>
  count === 1 ? t("signIns.once") : t("signIns.times", { count });

const methodTexts: Readonly<Record<string, string>> = {
  password: t("signIns.methods.password"),
  passkey: t("signIns.methods.passkey"),
  "magic-link": t("signIns.methods.magic-link"),
  "email-otp": t("signIns.methods.email-otp"),
  "sms-otp": t("signIns.methods.sms-otp"),
  totp: t("signIns.methods.totp"),
  otp: t("signIns.methods.otp"),
  "backup-code": t("signIns.methods.backup-code"),
  "trusted-device": t("signIns.methods.trusted-device"),
  device: t("signIns.methods.device"),
};

const socialPrefix = "social:";

/** Names a sign-in method of a session, such as `social:github`. */
export const methodText = (method: string): string => {
  if (!method.startsWith(socialPrefix)) return methodTexts[method] ?? method;
  const provider = method.slice(socialPrefix.length);
  return provider.charAt(0).toUpperCase() + provider.slice(1);
};

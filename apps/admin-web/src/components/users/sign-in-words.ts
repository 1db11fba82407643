import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

type RefusalReason = CallReply<
  typeof operations.identity.adminReadSignInMethods
>["refusals"][number]["reason"];

/** The reasons of refused sign-ins, as headings name them. */
export const refusalTexts: Readonly<Record<RefusalReason, string>> = {
  "wrong-password": "Wrong password",
  "wrong-code": "Wrong or expired email code",
  "wrong-second-factor": "Wrong second factor code",
  "second-factor-missing": "Required second factor missing",
  "second-factor-locked": "Refused while the second factor was locked",
  banned: "Banned",
  "password-compromised": "Password known from leaks",
  "address-not-verified": "Email not verified",
  "rate-limited": "Rate limited",
  "passkey-refused": "Passkey refused",
  "provider-refused": "Sign-in with a provider refused",
  other: "Refused for another reason",
};

/** Says how often something happened. */
export const timesText = (count: number): string =>
  count === 1 ? "once" : `${numberText(count)} times`;

const methodTexts: Readonly<Record<string, string>> = {
  password: "Password",
  passkey: "Passkey",
  "magic-link": "Email link",
  "email-otp": "Email code",
  totp: "Authenticator app",
  otp: "Email code as second factor",
  "backup-code": "Backup code",
  "trusted-device": "Trusted device",
};

const socialPrefix = "social:";

/** Names a sign-in method of a session, such as `social:github`. */
export const methodText = (method: string): string => {
  if (!method.startsWith(socialPrefix)) return methodTexts[method] ?? method;
  const provider = method.slice(socialPrefix.length);
  return provider.charAt(0).toLocaleUpperCase("en") + provider.slice(1);
};

import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "حسابك",
  signedInAs: "سجَّلت الدخول باسم {{email}}.",
};

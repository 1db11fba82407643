import type { Translation } from "../../messages.ts";

export const home: Translation<"account", "home"> = {
  title: "حسابك",
  signedInAs: "سجَّلت الدخول باسم {{email}}.",
  signOut: "تسجيل الخروج",
};

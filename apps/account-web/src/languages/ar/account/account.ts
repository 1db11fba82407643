import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  signOut: "تسجيل الخروج",
};

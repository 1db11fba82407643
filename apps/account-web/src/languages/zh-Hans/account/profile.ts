import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "您的账户",
  signedInAs: "您已以 {{email}} 的身份登录。",
};

import type { Translation } from "../../messages.ts";

export const home: Translation<"account", "home"> = {
  title: "您的账户",
  signedInAs: "您已以 {{email}} 的身份登录。",
  signOut: "退出登录",
};

import type { Translation } from "../../messages.ts";

export const home: Translation<"account", "home"> = {
  title: "アカウント",
  signedInAs: "{{email}} としてサインインしています。",
  signOut: "サインアウト",
};

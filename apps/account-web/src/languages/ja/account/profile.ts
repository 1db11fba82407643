import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "アカウント",
  signedInAs: "{{email}} としてサインインしています。",
};

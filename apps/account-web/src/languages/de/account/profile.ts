import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Ihr Konto",
  signedInAs: "Sie sind als {{email}} angemeldet.",
};

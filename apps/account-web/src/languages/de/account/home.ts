import type { Translation } from "../../messages.ts";

export const home: Translation<"account", "home"> = {
  title: "Ihr Konto",
  signedInAs: "Sie sind als {{email}} angemeldet.",
  signOut: "Abmelden",
};

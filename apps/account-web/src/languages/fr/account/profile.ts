import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Votre compte",
  signedInAs: "Vous êtes connecté en tant que {{email}}.",
};

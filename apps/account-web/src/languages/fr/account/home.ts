import type { Translation } from "../../messages.ts";

export const home: Translation<"account", "home"> = {
  title: "Votre compte",
  signedInAs: "Vous êtes connecté en tant que {{email}}.",
  signOut: "Se déconnecter",
};

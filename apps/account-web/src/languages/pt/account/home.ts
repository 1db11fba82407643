import type { Translation } from "../../messages.ts";

export const home: Translation<"account", "home"> = {
  title: "Sua conta",
  signedInAs: "Você entrou como {{email}}.",
  signOut: "Sair",
};

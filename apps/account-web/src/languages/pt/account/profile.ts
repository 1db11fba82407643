import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Sua conta",
  signedInAs: "Você entrou como {{email}}.",
};

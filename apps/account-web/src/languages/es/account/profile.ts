import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Su cuenta",
  signedInAs: "Ha iniciado sesión como {{email}}.",
};

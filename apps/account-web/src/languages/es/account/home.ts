import type { Translation } from "../../messages.ts";

export const home: Translation<"account", "home"> = {
  title: "Su cuenta",
  signedInAs: "Ha iniciado sesión como {{email}}.",
  signOut: "Cerrar sesión",
};

import type { Translation } from "../../messages.ts";

export const captcha: Translation<"front", "captcha"> = {
  title: "Confirmez que vous êtes humain",
  failed:
    "Le captcha n’a pas pu être chargé. Vérifiez votre connexion, désactivez les bloqueurs de contenu pour cette page et réessayez.",
};

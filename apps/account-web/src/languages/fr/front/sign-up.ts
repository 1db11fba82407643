import type { Translation } from "../../messages.ts";

export const signUp: Translation<"front", "signUp"> = {
  title: "Créez votre compte",
  lead: "pour continuer vers {{name}}",
  name: "Nom",
  enterName: "Saisissez votre nom.",
  username: "Nom d’utilisateur (facultatif)",
  submit: "Créer un compte",
  hasAccount: "Vous avez déjà un compte ?",
  signIn: "Se connecter",
  closed: {
    title: "Les inscriptions sont fermées",
    text: "Les comptes sont créés uniquement sur invitation.",
  },
  mailed: {
    title: "Consultez votre boîte de réception",
    text: "Nous avons envoyé un lien à {{email}}. Ouvrez-le pour vérifier votre adresse e-mail, puis connectez-vous.",
  },
};

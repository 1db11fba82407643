import type { Translation } from "../../messages.ts";

export const password: Translation<"front", "password"> = {
  newPassword: "Nouveau mot de passe",
  hint_one: "Au moins {{count}} caractère.",
  hint_other: "Au moins {{count}} caractères.",
  tooShort_one: "Utilisez au moins {{count}} caractère.",
  tooShort_other: "Utilisez au moins {{count}} caractères.",
  tooLong: "Choisissez un mot de passe plus court.",
  backToSignIn: "Retour à la connexion",
  forgot: {
    title: "Réinitialiser votre mot de passe",
    text: "Saisissez votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.",
    submit: "Envoyer le lien",
  },
  sent: {
    title: "Consultez votre boîte de réception",
    text: "Si {{email}} a un compte ici, un lien est en route. Il ne fonctionne qu’une seule fois et pendant peu de temps.",
  },
  reset: { title: "Choisir un nouveau mot de passe", submit: "Enregistrer le mot de passe" },
  changed: {
    title: "Votre mot de passe a été modifié",
    text: "Connectez-vous avec le nouveau mot de passe.",
    signIn: "Se connecter",
  },
  linkFailed: {
    title: "Ce lien n’a pas fonctionné",
    text: "Il a déjà été utilisé ou a expiré. Demandez-en un nouveau.",
    again: "Demander un nouveau lien",
  },
};

import type { Translation } from "../../messages.ts";

export const invitation: Translation<"front", "invitation"> = {
  title: "Rejoindre {{organization}}",
  text: "{{inviter}} vous invite avec le rôle {{role}}.",
  accept: "Accepter l’invitation",
  decline: "Refuser",
  accepted: "Vous êtes maintenant membre de {{organization}}.",
  declined: "Vous avez refusé l’invitation.",
  signedOut: {
    title: "Vous avez reçu une invitation",
    text: "Connectez-vous avec l’adresse e-mail qui a reçu l’invitation ou créez un compte avec celle-ci.",
    signIn: "Se connecter",
    signUp: "Créer un compte",
  },
  other: {
    title: "Cette invitation est destinée à une autre adresse e-mail",
    text: "Vous êtes connecté en tant que {{email}}. Connectez-vous avec l’adresse e-mail qui a reçu l’invitation.",
    signOut: "Utiliser un autre compte",
  },
  unverified: {
    title: "Vérifiez d’abord votre adresse e-mail",
    text: "Seul le titulaire de {{email}} peut voir cette invitation. Nous vous envoyons un lien qui vous ramènera ici.",
    send: "Envoyer le lien",
    sent: "Le lien est en route. Ouvrez-le dans ce navigateur.",
  },
  gone: {
    title: "Cette invitation n’est plus valable",
    text: "Elle a reçu une réponse, a été retirée ou a expiré. Demandez-en une nouvelle.",
  },
};

import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Votre compte",
  signedInAs: "Vous êtes connecté en tant que {{email}}.",
  you: {
    title: "Profil",
    text: "Les autres voient votre nom lorsque vous travaillez ensemble.",
    name: "Nom",
    image: "Photo",
    imageHint: "L’adresse d’une image, par exemple https://example.com/me.png.",
    imageFault: "Saisissez une adresse qui commence par https://.",
    username: "Nom d’utilisateur",
    save: "Enregistrer",
    saved: "Profil enregistré.",
  },
  email: {
    title: "Adresse e-mail",
    verified: "Vérifiée",
    unverified: "Non vérifiée",
    resend: "Renvoyer la vérification",
    resent: "Nous avons envoyé un lien à {{email}}.",
    change: "Changer l’adresse e-mail",
    newEmail: "Nouvelle adresse e-mail",
    enterEmail: "Saisissez une adresse e-mail telle que name@example.com.",
    confirmText:
      "Nous envoyons un lien à votre adresse e-mail actuelle. Ouvrez-le pour confirmer le changement.",
    atOnceText: "Nous envoyons à la nouvelle adresse e-mail un lien qui permet de la vérifier.",
    changed: "Adresse e-mail modifiée. Ouvrez le lien que nous y avons envoyé.",
    send: "Envoyer le lien",
    requested: "Un lien est en route vers votre adresse e-mail actuelle.",
  },
};

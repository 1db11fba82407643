import type { pages as english } from "../en/pages.ts";
import type { Translated } from "../message.ts";

/** The French texts of the pages of mailed links. Readers are addressed as "vous". */
export const pages: Translated<typeof english> = {
  ignore: "Si vous n’avez rien demandé, fermez cette page : rien n’a changé.",
  change: {
    title: "Confirmez votre nouvelle adresse e-mail",
    text: "Votre compte {app} utilisera {newEmail} au lieu de {email}.",
    button: "Modifier l’adresse e-mail",
  },
  delete: {
    title: "Supprimer votre compte",
    text: "Votre compte {email} sur {app} sera supprimé définitivement.",
    button: "Supprimer le compte",
  },
  signIn: {
    title: "Se connecter à {app}",
    text: "Ce navigateur sera connecté au compte de {email} sur {app}.",
    button: "Se connecter",
  },
  signInClaim: {
    title: "Se connecter à {app}",
    text: "L’adresse {email} n’a jamais été confirmée pour ce compte {app}. Quelqu’un d’autre l’a peut-être créé. La connexion par ce lien supprime :",
    password: "le mot de passe",
    accounts: "les comptes associés",
    passkeys: "les clés d’accès",
    secondFactor: "le second facteur",
    phoneNumber: "le numéro de téléphone",
    rest: "Tous les autres appareils seront déconnectés et les clés API ne seront plus valables.",
    choose: "Un autre e-mail vous permettra ensuite de choisir un nouveau mot de passe.",
    instead:
      "Ce compte est le vôtre et vous connaissez le mot de passe ? Connectez-vous avec celui-ci, puis confirmez l’adresse e-mail dans votre profil. Rien ne sera alors supprimé.",
    toSignIn: "Se connecter avec le mot de passe",
    button: "Supprimer et se connecter",
  },
  signInElsewhere: {
    title: "Ouvrez ce lien dans l’autre navigateur",
    text: "Ce lien connecte au compte de {email} sur {app}. Il ne fonctionne que dans le navigateur où vous l’avez demandé.",
  },
  undo: {
    title: "Annuler le changement d’adresse e-mail",
    text: "Votre compte {app} utilisera de nouveau {email} au lieu de {newEmail}. Tous les appareils seront déconnectés et vous choisirez un nouveau mot de passe.",
    button: "Annuler le changement",
  },
  verify: {
    title: "Vérifiez votre adresse e-mail",
    text: "L’adresse {email} sera vérifiée pour un compte {app}.",
    button: "Vérifier l’adresse e-mail",
  },
  verifyAndSignIn: {
    title: "Vérifiez votre adresse e-mail",
    text: "L’adresse {email} sera vérifiée pour un compte {app}. Ce navigateur sera également connecté à ce compte.",
    button: "Vérifier et se connecter",
  },
  verified: {
    title: "Votre adresse e-mail est vérifiée",
    text: "Vous pouvez fermer cette page.",
  },
  deleted: {
    title: "Votre compte est supprimé",
    text: "Vous pouvez fermer cette page.",
  },
  signedIn: {
    title: "Vous êtes connecté",
    text: "Vous pouvez fermer cette page.",
  },
  undone: {
    title: "Votre adresse e-mail est rétablie",
    text: "Tous les appareils sont déconnectés. Un e-mail avec un lien pour choisir un nouveau mot de passe est en route.",
  },
  expired: {
    title: "Ce lien a expiré",
    text: "Demandez-en un nouveau dans l’application.",
  },
  signedOut: {
    title: "Connectez-vous d’abord",
    text: "Connectez-vous à votre compte dans ce navigateur, puis ouvrez de nouveau le lien.",
  },
  notGood: {
    title: "Ce lien ne peut pas être utilisé",
    text: "Il a déjà été utilisé, a été remplacé ou est incomplet. Demandez-en un nouveau dans l’application.",
  },
};

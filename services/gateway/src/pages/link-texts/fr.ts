import type { LinkTexts } from "./en.ts";

/** The French texts. Readers are addressed as "vous". */
export const fr: LinkTexts = {
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

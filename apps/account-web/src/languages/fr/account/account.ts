import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  navigation: "Votre compte",
  menu: "Menu",
  skip: "Aller au contenu",
  signOut: "Se déconnecter",
  close: "Fermer",
  dismiss: "Ignorer",
  copied: "Copié",
  copyFailed: "Le navigateur a bloqué la copie. Copiez manuellement.",
  secret: {
    keep: "Copiez ce texte maintenant et conservez-le en lieu sûr. Il ne pourra plus être affiché.",
    lost: "Vous n’avez pas copié ce texte. Il ne pourra plus être affiché. Fermez encore une fois pour l’abandonner.",
    copy: "Copier",
    done: "Terminé",
  },
  yourPassword: "Votre mot de passe",
  screens: {
    profile: "Profil",
    security: "Sécurité",
    sessions: "Sessions",
    apiKeys: "Clés API",
    organizations: "Organisations",
    data: "Vos données",
  },
  theme: { label: "Thème", system: "Thème du système", light: "Clair", dark: "Sombre" },
  stepUp: {
    title: "Confirmez votre identité",
    text: "Cette modification nécessite une connexion récente.",
    passkey: "Utiliser une clé d’accès",
    noPassword:
      "Pas de mot de passe ? Déconnectez-vous, puis reconnectez-vous. Vous reviendrez à cette page.",
  },
};

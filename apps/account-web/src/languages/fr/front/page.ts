import type { Translation } from "../../messages.ts";

export const page: Translation<"front", "page"> = {
  language: "Langue",
  terms: "Conditions d’utilisation",
  privacy: "Confidentialité",
  support: "Assistance",
  or: "ou",
  back: "Retour",
  cancel: "Annuler",
  retry: "Réessayer",
  continue: "Continuer",
  goToApplication: "Accéder à {{name}}",
  loading: "Chargement en cours",
  offline: "Vous êtes hors ligne. Cette page reprendra dès que la connexion sera rétablie.",
  showPassword: "Afficher le mot de passe",
  hidePassword: "Masquer le mot de passe",
};

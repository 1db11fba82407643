import type { Translation } from "../../messages.ts";

export const accountErrors: Translation<"account", "accountErrors"> = {
  FAILED_TO_UPDATE_USER: "L’enregistrement a échoué. Réessayez.",
  FIELD_IS_REQUIRED: "Une valeur obligatoire est manquante.",
  EMAIL_IS_THE_SAME: "Il s’agit de votre adresse e-mail actuelle.",
  EMAIL_ALREADY_IN_USE: "Cette adresse e-mail est déjà utilisée.",
  COULDNT_UPDATE_YOUR_EMAIL:
    "Cette adresse e-mail ne peut pas être utilisée. Saisissez-en une autre.",
  CHANGE_EMAIL_IS_DISABLED: "L’adresse e-mail ne peut pas être modifiée ici.",
  VERIFICATION_EMAIL_ISNT_ENABLED:
    "Cette adresse e-mail ne peut pas être vérifiée ici. Contactez l’assistance.",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "Vous n’avez pas de mot de passe.",
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT:
    "C’est votre dernier moyen de vous connecter. Ajoutez-en d’abord un autre.",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN:
    "C’est votre dernier moyen de vous connecter. Ajoutez-en d’abord un autre.",
  ACCOUNT_NOT_FOUND: "Ce fournisseur n’est plus associé.",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "Ce compte est associé à un autre utilisateur.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS:
    "Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en d’abord une.",
  PREVIOUSLY_REGISTERED: "Cet appareil possède déjà une clé d’accès pour votre compte.",
  FAILED_TO_VERIFY_REGISTRATION: "La clé d’accès n’a pas été acceptée. Réessayez.",
  TOTP_ALREADY_ENABLED:
    "Une application d’authentification est déjà configurée. Désactivez-la d’abord.",
  TOTP_NOT_ENABLED: "La configuration a expiré. Recommencez.",
  SESSION_NOT_FOUND: "Cette session est déjà terminée.",
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN:
    "Vous êtes le dernier administrateur : votre compte ne peut donc pas être supprimé. Désignez d’abord un autre administrateur.",
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION:
    "Cette action nécessite une connexion récente. Déconnectez-vous, reconnectez-vous et réessayez.",
  KEY_NOT_FOUND: "Cette clé n’existe plus.",
  INVALID_NAME_LENGTH: "Choisissez un nom d’une autre longueur.",
  KEY_DISABLED_EXPIRATION: "L’expiration ne peut pas être choisie ici.",
  EXPIRES_IN_IS_TOO_SMALL: "Choisissez une date d’expiration plus lointaine.",
  EXPIRES_IN_IS_TOO_LARGE: "Choisissez une date d’expiration plus proche.",
  KEY_RETIRED: "Cette clé a été remplacée et ne peut pas être modifiée.",
  ORGANIZATION_ALREADY_EXISTS: "Ce nom court est déjà pris. Choisissez-en un autre.",
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION:
    "Vous n’êtes pas autorisé à créer des organisations.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    "Vous avez atteint le nombre maximal d’organisations.",
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    "L’organisation doit avoir un propriétaire. Désignez d’abord un autre membre comme propriétaire.",
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "Vous ne pouvez pas attribuer ce rôle.",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "Cette personne est déjà membre.",
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "Cette adresse e-mail a déjà reçu une invitation.",
  INVITATION_LIMIT_REACHED: "Il y a trop d’invitations. Annulez-en une ou réessayez plus tard.",
  INVITATION_NOT_FOUND: "Cette invitation n’est plus valable.",
  MEMBER_NOT_FOUND: "Cette personne n’est plus membre.",
  TEAM_NOT_FOUND: "Cette équipe n’existe plus.",
  TEAM_MEMBER_LIMIT_REACHED: "Cette équipe est complète.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: "Impossible d’ajouter une autre équipe.",
  UNABLE_TO_REMOVE_LAST_TEAM: "La dernière équipe ne peut pas être supprimée.",
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: "Cette organisation est complète.",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    "Vérifiez d’abord votre adresse e-mail. Vous pourrez ensuite répondre aux invitations.",
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
    "Cette URL ne peut pas être utilisée. Saisissez une adresse publique commençant par https://.",
  THE_NUMBER_OF_WEBHOOKS_IS_LIMITED:
    "L’organisation a atteint le nombre maximal de webhooks. Supprimez-en un d’abord.",
  WEBHOOK_NOT_FOUND: "Ce webhook n’existe plus.",
  WEBHOOK_DELIVERY_NOT_FOUND: "Cet envoi n’existe plus.",
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: "Cet envoi n’a pas échoué.",
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION:
    "Votre rôle ne vous permet pas de gérer les webhooks.",
  YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS:
    "Votre rôle ne vous permet pas de voir les événements des clés API.",
};

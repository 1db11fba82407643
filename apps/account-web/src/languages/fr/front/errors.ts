import type { Translation } from "../../messages.ts";

export const errors: Translation<"front", "errors"> = {
  network: "Le serveur n’a pas répondu. Vérifiez votre connexion et réessayez.",
  unreadable: "Le serveur a envoyé une réponse inattendue. Réessayez dans un instant.",
  unavailable: "Ce service est indisponible pour le moment. Réessayez dans un instant.",
  failed: "Une erreur s’est produite. Réessayez.",
  failedWithId:
    "Une erreur s’est produite. Réessayez. Si le problème persiste, communiquez cet identifiant à l’assistance : {{id}}.",
  refused: "Cette demande a été refusée. Vérifiez votre saisie et réessayez.",
  forbidden: "Vous n’avez pas l’autorisation de faire cela.",
  notFound: "Élément introuvable. Il a peut-être été supprimé.",
  signedOut: "Votre session a pris fin. Reconnectez-vous.",
  wait_one: "Trop de tentatives. Réessayez dans {{count}} seconde.",
  wait_other: "Trop de tentatives. Réessayez dans {{count}} secondes.",
  waitMinutes_one: "Trop de tentatives. Réessayez dans {{count}} minute.",
  waitMinutes_other: "Trop de tentatives. Réessayez dans {{count}} minutes.",
  waitOver: "Vous pouvez maintenant réessayer.",
  required: "Ce champ est obligatoire.",
  passkey:
    "Le navigateur n’a pas pu utiliser de clé d’accès. Réessayez ou choisissez une autre méthode.",
  pages: {
    notFound: {
      title: "Page introuvable",
      text: "L’adresse est peut-être mal saisie ou la page a été déplacée.",
    },
    failed: { title: "Impossible de charger cette page" },
  },
  codes: {
    INVALID_EMAIL_OR_PASSWORD: "L’adresse e-mail ou le mot de passe est incorrect.",
    INVALID_USERNAME_OR_PASSWORD: "Le nom d’utilisateur ou le mot de passe est incorrect.",
    INVALID_EMAIL: "Saisissez une adresse e-mail telle que name@example.com.",
    INVALID_PASSWORD: "Le mot de passe est incorrect.",
    EMAIL_NOT_VERIFIED:
      "Vérifiez d’abord votre adresse e-mail. Ouvrez le lien dans l’e-mail que nous vous avons envoyé.",
    BANNED_USER: "Ce compte est bloqué.",
    PASSWORD_TOO_SHORT: "Choisissez un mot de passe plus long.",
    PASSWORD_TOO_LONG: "Choisissez un mot de passe plus court.",
    INVALID_CODE: "Ce code est incorrect. Saisissez le plus récent.",
    INVALID_BACKUP_CODE: "Ce code de secours est incorrect ou a déjà été utilisé.",
    OTP_HAS_EXPIRED: "Ce code a expiré. Demandez-en un nouveau.",
    OTP_EXPIRED: "Ce code a expiré. Demandez-en un nouveau.",
    INVALID_OTP: "Ce code est incorrect. Saisissez le plus récent.",
    TOO_MANY_ATTEMPTS: "Trop de codes erronés. Demandez-en un nouveau.",
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Trop de codes erronés. Demandez-en un nouveau.",
    ACCOUNT_TEMPORARILY_LOCKED: "Trop de codes erronés. Réessayez plus tard.",
    INVALID_TWO_FACTOR_COOKIE: "Cette connexion a expiré. Reconnectez-vous.",
    TWO_FACTOR_REQUIRED: "Votre compte exige un second facteur.",
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER:
      "Ce nom d’utilisateur est déjà pris. Choisissez-en un autre.",
    USERNAME_IS_TOO_SHORT: "Choisissez un nom d’utilisateur plus long.",
    USERNAME_IS_TOO_LONG: "Choisissez un nom d’utilisateur plus court.",
    USERNAME_IS_INVALID:
      "Utilisez uniquement des lettres, des chiffres, des traits de soulignement et des points.",
    USER_ALREADY_EXISTS: "Un compte existe déjà avec cette adresse e-mail. Connectez-vous plutôt.",
    INVALID_TOKEN: "Ce lien a déjà été utilisé ou a expiré. Demandez-en un nouveau.",
    INVALID_CALLBACKURL:
      "La page qui vous a envoyé ici a indiqué une adresse qui n’est pas autorisée.",
    MISSING_CAPTCHA_RESPONSE: "Complétez d’abord le captcha.",
    CAPTCHA_VERIFICATION_FAILED: "Le captcha n’a pas été accepté. Réessayez.",
    SIGNUP_DISABLED: "Aucun compte n’existe avec cette adresse e-mail.",
    ACCOUNT_NOT_LINKED:
      "Un compte existe déjà avec cette adresse e-mail. Connectez-vous d’une autre manière, puis associez ce fournisseur.",
    CHALLENGE_NOT_FOUND: "L’opération a pris trop de temps. Réessayez.",
    PASSKEY_NOT_FOUND: "Cette clé d’accès n’est pas connue ici. Utilisez-en une autre.",
    AUTHENTICATION_FAILED:
      "La clé d’accès n’a pas été acceptée. Réessayez ou connectez-vous d’une autre manière.",
    SESSION_IS_NOT_FRESH: "Confirmez votre identité, puis réessayez.",
  },
};

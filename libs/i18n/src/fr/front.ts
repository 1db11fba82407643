import type { front as english } from "../en/front.ts";
import type { Translated } from "../message.ts";

/** The French texts of the pages for signed-out users. Readers are addressed as "vous". */
export const front: Translated<typeof english> = {
  captcha: {
    title: "Confirmez que vous êtes humain",
    failed:
      "Le captcha n’a pas pu être chargé. Vérifiez votre connexion, désactivez les bloqueurs de contenu pour cette page et réessayez.",
  },
  errors: {
    network: "Le serveur n’a pas répondu. Vérifiez votre connexion et réessayez.",
    unreadable: "Le serveur a envoyé une réponse inattendue. Réessayez dans un instant.",
    unavailable: "Ce service est indisponible pour le moment. Réessayez dans un instant.",
    failed: "Une erreur s’est produite. Réessayez.",
    failedWithId:
      "Une erreur s’est produite. Réessayez. Si le problème persiste, communiquez cet identifiant à l’assistance : {id}.",
    refused: "Cette demande a été refusée. Vérifiez votre saisie et réessayez.",
    forbidden: "Vous n’avez pas l’autorisation de faire cela.",
    notFound: "Élément introuvable. Il a peut-être été supprimé.",
    signedOut: "Votre session a pris fin. Reconnectez-vous.",
    wait: "Trop de tentatives. Réessayez dans {count, plural, one {# seconde} other {# secondes}}.",
    waitMinutes:
      "Trop de tentatives. Réessayez dans {count, plural, one {# minute} other {# minutes}}.",
    waitOver: "Vous pouvez maintenant réessayer.",
    required: "Ce champ est obligatoire.",
    passkey:
      "Le navigateur n’a pas pu utiliser de clé d’accès. Réessayez ou choisissez une autre méthode.",
    pages: {
      notFound: {
        title: "Page introuvable",
        text: "L’adresse est peut-être mal saisie ou la page a été déplacée.",
      },
      failed: {
        title: "Impossible de charger cette page",
      },
    },
    codes: {
      INVALID_EMAIL_OR_PASSWORD: "L’adresse e-mail ou le mot de passe est incorrect.",
      INVALID_USERNAME_OR_PASSWORD: "Le nom d’utilisateur ou le mot de passe est incorrect.",
      INVALID_EMAIL: "Saisissez une adresse e-mail telle que name@example.com.",
      INVALID_PASSWORD: "Le mot de passe est incorrect.",
      EMAIL_NOT_VERIFIED: "Vérifiez d’abord votre adresse e-mail.",
      BANNED_USER: "Ce compte est bloqué.",
      PASSWORD_TOO_SHORT: "Choisissez un mot de passe plus long.",
      PASSWORD_TOO_LONG: "Choisissez un mot de passe plus court.",
      PASSWORD_COMPROMISED:
        "Ce mot de passe est connu à la suite de fuites. Choisissez-en un autre.",
      PASSWORD_CHANGE_REQUIRED:
        "Ce mot de passe est connu à la suite de fuites. Choisissez-en un nouveau avec le lien envoyé à votre adresse e-mail.",
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
      USER_ALREADY_EXISTS:
        "Un compte existe déjà avec cette adresse e-mail. Connectez-vous plutôt.",
      INVALID_TOKEN: "Ce lien a déjà été utilisé ou a expiré. Demandez-en un nouveau.",
      TOO_MANY_SESSIONS:
        "Trop de comptes sont connectés dans ce navigateur. Déconnectez d’abord l’un d’eux.",
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
  },
  invitation: {
    title: "Rejoindre {organization}",
    text: "{inviter} vous invite avec le rôle {role}.",
    accept: "Accepter l’invitation",
    decline: "Refuser",
    accepted: "Vous êtes maintenant membre de {organization}.",
    declined: "Vous avez refusé l’invitation.",
    signedOut: {
      text: "Elle est destinée à {email}. Connectez-vous avec cette adresse ou créez un compte.",
      signIn: "Se connecter et accepter",
      signUp: "Créer un compte et accepter",
    },
    other: {
      title: "Cette invitation est destinée à une autre adresse e-mail",
      text: "Vous êtes connecté en tant que {email}. Connectez-vous avec l’adresse e-mail qui a reçu l’invitation.",
      signOut: "Utiliser un autre compte",
    },
    unverified: {
      title: "Vérifiez d’abord votre adresse e-mail",
      text: "Seul le titulaire de {email} peut voir cette invitation. Nous vous envoyons un lien qui vous ramènera ici.",
      send: "Envoyer le lien",
      sent: "Le lien est en route. Ouvrez-le dans ce navigateur.",
      code: "Seul le titulaire de {email} peut voir cette invitation. Nous vous envoyons un code.",
      sendCode: "Envoyer le code",
    },
    gone: {
      title: "Cette invitation n’est plus valable",
      text: "Elle a reçu une réponse, a été retirée ou a expiré. Demandez-en une nouvelle.",
    },
  },
  links: {
    toSignIn: "Aller à la connexion",
    verifyEmail: {
      title: "Votre adresse e-mail est vérifiée",
      text: "Vous pouvez maintenant continuer.",
      failed:
        "Il a déjà été utilisé ou a expiré. Si votre adresse e-mail n’est pas encore vérifiée, demandez un nouveau lien.",
    },
    verifyEmailOpen: {
      title: "Vérifiez votre adresse e-mail",
      text: "Ouvrez le lien de l’e-mail que nous vous avons envoyé, ou demandez un nouveau lien.",
    },
    changeEmail: {
      title: "Le lien a fonctionné",
      text: "Si la nouvelle adresse e-mail doit encore confirmer la modification, nous lui avons envoyé un lien. Votre profil indique l’adresse e-mail utilisée.",
    },
    changeEmailFailed: {
      title: "Votre adresse e-mail n’a pas été modifiée",
      text: "Le lien a déjà été utilisé, a expiré ou nécessite que vous soyez connecté. Connectez-vous et changez de nouveau votre adresse e-mail.",
    },
    deleteAccount: {
      title: "Votre compte est supprimé",
      text: "Toutes vos données ont été supprimées. Vous pouvez fermer cette page.",
    },
    deleteAccountOpen: {
      title: "Rien n’a été supprimé ici",
      text: "Vous pouvez supprimer votre compte sur la page de vos données.",
      action: "Aller à vos données",
    },
    deleteAccountFailed: {
      title: "Votre compte n’a pas été supprimé",
      text: "Le lien a déjà été utilisé, a expiré ou nécessite que vous soyez connecté. Connectez-vous et supprimez de nouveau votre compte.",
    },
    done: {
      title: "Vous n’avez plus rien à faire ici",
      text: "Si un lien reçu par e-mail vous a amené ici, il a fonctionné.",
    },
    returned: {
      title: "Vous êtes connecté",
      text: "L’application vous a renvoyé ici. Retournez-y ou fermez cette page.",
    },
    failures: {
      link: {
        title: "Ce lien n’a pas fonctionné",
        text: "Il a déjà été utilisé ou a expiré. Demandez-en un nouveau sur la page de connexion.",
      },
      cancelled: {
        title: "La connexion a été annulée",
        text: "Rien n’a changé. Réessayez ou connectez-vous d’une autre manière.",
      },
      notLinked: {
        title: "Ce compte n’est pas associé",
        text: "Un compte existe déjà avec cette adresse e-mail. Connectez-vous à ce compte d’une autre manière, puis associez ce fournisseur.",
      },
      otherEmail: {
        title: "Le compte n’a pas été associé",
        text: "Son adresse e-mail diffère de la vôtre, ou le fournisseur ne l’a pas vérifiée. Associez un compte qui a votre adresse e-mail.",
      },
      taken: {
        title: "Le compte n’a pas été associé",
        text: "Il est associé ici à un autre compte. Dissociez-le d’abord de celui-ci.",
      },
      noAccount: {
        title: "Vous n’avez pas encore de compte",
        text: "Cette méthode ne permet pas de créer un compte. Connectez-vous d’une autre manière ou demandez une invitation.",
      },
      blocked: {
        title: "Ce compte est bloqué",
        text: "Vous ne pouvez pas vous connecter. Contactez l’assistance si vous pensez qu’il s’agit d’une erreur.",
      },
      noEmail: {
        title: "Le fournisseur n’a pas communiqué votre adresse e-mail",
        text: "Autorisez-le à communiquer votre adresse e-mail et réessayez, ou connectez-vous d’une autre manière.",
      },
      unverified: {
        title: "Vérifiez d’abord votre adresse e-mail",
        text: "Ouvrez le lien dans l’e-mail que nous vous avons envoyé, puis connectez-vous.",
      },
      address: {
        title: "Impossible de vous renvoyer",
        text: "La page qui vous a envoyé ici a indiqué une adresse qui n’est pas autorisée.",
      },
      full: {
        title: "Trop de comptes dans ce navigateur",
        text: "Déconnectez l’un d’eux, puis reconnectez-vous.",
      },
      other: {
        title: "La connexion a échoué",
        text: "Réessayez. Si le problème persiste, connectez-vous d’une autre manière ou contactez l’assistance.",
      },
    },
  },
  page: {
    language: "Langue",
    terms: "Conditions d’utilisation",
    privacy: "Confidentialité",
    support: "Assistance",
    or: "ou",
    back: "Retour",
    cancel: "Annuler",
    retry: "Réessayer",
    continue: "Continuer",
    goToApplication: "Accéder à {name}",
    loading: "Chargement en cours",
    offline: "Vous êtes hors ligne. Cette page reprendra dès que la connexion sera rétablie.",
    showPassword: "Afficher le mot de passe",
    hidePassword: "Masquer le mot de passe",
    codeHint: "Le code est vérifié dès que vous saisissez le dernier chiffre.",
  },
  password: {
    newPassword: "Nouveau mot de passe",
    strength1: "Faible",
    strength2: "Moyen",
    strength3: "Bon",
    strength4: "Fort",
    hint: "Au moins {count, plural, one {# caractère} other {# caractères}}.",
    tooShort: "Utilisez au moins {count, plural, one {# caractère} other {# caractères}}.",
    tooLong: "Choisissez un mot de passe plus court.",
    backToSignIn: "Retour à la connexion",
    forgot: {
      title: "Réinitialiser votre mot de passe",
      text: "Saisissez votre adresse e-mail. Nous vous enverrons un lien pour choisir un nouveau mot de passe.",
      submit: "Envoyer le lien",
      code: "Saisissez votre adresse e-mail. Nous vous enverrons un code pour choisir un nouveau mot de passe.",
      sendCode: "Envoyer le code",
    },
    sent: {
      title: "Consultez votre boîte de réception",
      text: "Si {email} a un compte ici, un lien est en route. Il ne fonctionne qu’une seule fois et pendant peu de temps.",
      code: "Si {email} a un compte ici, un code est en route. Saisissez-le pour choisir un nouveau mot de passe.",
    },
    reset: {
      title: "Choisir un nouveau mot de passe",
      submit: "Enregistrer le mot de passe",
      keysStay:
        "Si votre adresse e-mail n’était pas encore entièrement confirmée, des clés API peuvent être supprimées. Sinon, elles continuent de fonctionner.",
      keysEnd:
        "Les clés API qui peuvent se connecter en votre nom sont supprimées. Si votre adresse e-mail n’était pas encore entièrement confirmée, les autres peuvent l’être aussi.",
      claim:
        "Votre adresse e-mail n’a jamais été entièrement confirmée pour ce compte : quelqu’un d’autre l’a peut-être créé. Le nouveau mot de passe remplace l’actuel.",
      removes: "Son enregistrement supprime aussi :",
    },
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
  },
  secondFactor: {
    title: "Confirmez votre identité",
    app: {
      label: "Code d’authentification",
      hint: "Saisissez le code de votre application d’authentification.",
      use: "Utiliser votre application d’authentification",
    },
    mail: {
      label: "Code reçu par e-mail",
      hint: "Nous vous envoyons un code par e-mail. Il est valable quelques minutes.",
      use: "Utiliser un code par e-mail",
      send: "Envoyer un code par e-mail",
      sent: "Un code est en route vers votre boîte de réception.",
      resend: "Envoyer un autre code",
    },
    backup: {
      label: "Code de secours",
      hint: "Saisissez l’un des codes de secours que vous avez conservés. Chacun ne fonctionne qu’une seule fois.",
      use: "Utiliser un code de secours",
    },
    trust: "Faire confiance à ce navigateur",
    submit: "Confirmer",
    expired: "Cette connexion a expiré. Reconnectez-vous.",
    tooMany: "Trop de codes erronés. Reconnectez-vous.",
    enrolment: {
      title: "Configurer un second facteur",
      text: "Votre compte exige un second facteur. Configurez une application d’authentification pour continuer.",
      action: "Configurer une application",
    },
  },
  signIn: {
    manageUsers: "Choisir qui reste connecté",
    title: "Se connecter à {name}",
    email: "Adresse e-mail",
    emailOrUsername: "Adresse e-mail ou nom d’utilisateur",
    password: "Mot de passe",
    enterEmail: "Saisissez votre adresse e-mail.",
    enterEmailOrUsername: "Saisissez votre adresse e-mail ou votre nom d’utilisateur.",
    enterPassword: "Saisissez votre mot de passe.",
    submit: "Se connecter",
    forgot: "Mot de passe oublié ?",
    stay: "Rester connecté",
    noAccount: "Pas encore de compte ?",
    signUp: "S’inscrire",
    continueWith: "Continuer avec {name}",
    otherWays: "Autres méthodes",
    lastUsed: "Dernière méthode utilisée",
    mailLink: "Recevoir un lien de connexion",
    mailCode: "Recevoir un code par e-mail",
    textCode: "Recevoir un code par SMS",
    passkey: "Se connecter avec une clé d’accès",
    linkSent: {
      title: "Consultez votre boîte de réception",
      text: "Si {email} peut se connecter ici, un lien est en route. Ouvrez-le dans ce navigateur.",
      resend: "Envoyer un autre lien",
      again: "Un autre lien est en route.",
    },
    codeSent: {
      title: "Saisissez le code",
      text: "Si {recipient} peut se connecter ici, un code est en route.",
      code: "Code",
      resend: "Envoyer un autre code",
      again: "Un autre code est en route.",
    },
    claim: {
      password: "le mot de passe",
      accounts: "les comptes associés",
      passkeys: "les clés d’accès",
      secondFactor: "le second facteur",
      phoneNumber: "le numéro de téléphone",
      rest: "Tous les autres appareils seront déconnectés et les clés API ne seront plus valables.",
    },
    ended: "Votre session a pris fin. Reconnectez-vous pour continuer.",
    created: "Votre compte est créé. Connectez-vous pour continuer.",
    signedOut: "Vous vous êtes déconnecté.",
  },
  signUp: {
    title: "Créez votre compte",
    guest:
      "Vous êtes ici en tant qu’invité. Créez un compte ou connectez-vous pour garder ce que vous avez.",
    lead: "pour continuer vers {name}",
    name: "Nom",
    enterName: "Saisissez votre nom.",
    username: "Nom d’utilisateur (facultatif)",
    submit: "Créer un compte",
    hasAccount: "Vous avez déjà un compte ?",
    signIn: "Se connecter",
    complete: {
      title: "Complétez votre profil",
      text: "{name} a besoin de ces informations pour créer votre compte.",
      again: "{name} a besoin de ces informations avant de continuer.",
    },
    closed: {
      title: "Les inscriptions sont fermées",
      text: "Les comptes sont créés uniquement sur invitation.",
    },
  },
  verification: {
    title: "Vérifiez votre adresse e-mail",
    link: "Nous avons envoyé un lien à {email}. Ouvrez-le pour vérifier votre adresse e-mail, puis connectez-vous.",
    code: "Nous avons envoyé un code à {email}. Saisissez-le pour vérifier votre adresse e-mail.",
    either: "Nous avons envoyé un code et un lien à {email}. Saisissez le code ou ouvrez le lien.",
    unknown: "Saisissez votre adresse e-mail et le code que nous y avons envoyé.",
    linkUnknown:
      "Ouvrez le lien que nous avons envoyé à votre adresse e-mail, ou demandez-en un autre.",
    submit: "Vérifier l’adresse",
    resend: "Renvoyer",
    again: "Si cette adresse e-mail n’est pas encore vérifiée, un autre e-mail est en route.",
    claim:
      "L’adresse {email} n’a jamais été confirmée pour ce compte : quelqu’un d’autre l’a peut-être créé. La vérification par ce code supprime :",
    remove: "Supprimer et vérifier",
  },
};

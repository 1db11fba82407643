import type { Translation } from "../../messages.ts";

export const links: Translation<"front", "links"> = {
  toSignIn: "Aller à la connexion",
  verifyEmail: {
    title: "Votre adresse e-mail est vérifiée",
    text: "Vous pouvez maintenant continuer.",
    failed:
      "Il a déjà été utilisé ou a expiré. Si votre adresse e-mail n’est pas encore vérifiée, demandez un nouveau lien.",
    send: "Envoyer un nouveau lien",
    sent: "Si cette adresse e-mail n’est pas encore vérifiée, un nouveau lien est en route.",
  },
  verifyEmailOpen: {
    title: "Vérifiez votre adresse e-mail",
    text: "Ouvrez le lien de l’e-mail que nous vous avons envoyé, ou demandez un nouveau lien.",
  },
  changeEmail: {
    title: "Le lien a fonctionné",
    text: "Si un second e-mail est nécessaire, nous vous avons envoyé son lien. Sinon, votre adresse e-mail a été modifiée.",
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
    other: {
      title: "La connexion a échoué",
      text: "Réessayez. Si le problème persiste, connectez-vous d’une autre manière ou contactez l’assistance.",
    },
  },
};

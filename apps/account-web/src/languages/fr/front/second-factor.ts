import type { Translation } from "../../messages.ts";

export const secondFactor: Translation<"front", "secondFactor"> = {
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
};

import type { Translation } from "../../messages.ts";

export const secondFactor: Translation<"front", "secondFactor"> = {
  title: "Bestätigen Sie, dass Sie es sind",
  app: {
    label: "Code der Authenticator-App",
    hint: "Geben Sie den Code aus Ihrer Authenticator-App ein.",
    use: "Authenticator-App verwenden",
  },
  mail: {
    label: "Code aus der E-Mail",
    hint: "Wir senden Ihnen einen Code per E-Mail. Er ist einige Minuten gültig.",
    use: "Code per E-Mail verwenden",
    send: "Code per E-Mail senden",
    sent: "Ein Code ist auf dem Weg in Ihren Posteingang.",
    resend: "Weiteren Code senden",
  },
  backup: {
    label: "Backup-Code",
    hint: "Geben Sie einen der Backup-Codes ein, die Sie gespeichert haben. Jeder funktioniert nur einmal.",
    use: "Backup-Code verwenden",
  },
  trust: "Diesem Browser vertrauen",
  submit: "Bestätigen",
  expired: "Diese Anmeldung ist abgelaufen. Melden Sie sich erneut an.",
  tooMany: "Zu viele falsche Codes. Melden Sie sich erneut an.",
  enrolment: {
    title: "Zweiten Faktor einrichten",
    text: "Ihr Konto erfordert einen zweiten Faktor. Richten Sie eine Authenticator-App ein, um fortzufahren.",
    action: "App einrichten",
  },
};

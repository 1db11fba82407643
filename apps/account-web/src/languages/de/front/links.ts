import type { Translation } from "../../messages.ts";

export const links: Translation<"front", "links"> = {
  toSignIn: "Zur Anmeldung",
  verifyEmail: {
    title: "Ihre E-Mail-Adresse ist bestätigt",
    text: "Sie können jetzt fortfahren.",
    failed:
      "Er wurde bereits verwendet oder ist abgelaufen. Falls Ihre E-Mail-Adresse noch nicht bestätigt ist, fordern Sie einen neuen Link an.",
    send: "Neuen Link senden",
    sent: "Falls diese E-Mail-Adresse noch nicht bestätigt ist, ist ein neuer Link unterwegs.",
  },
  verifyEmailOpen: {
    title: "E-Mail-Adresse bestätigen",
    text: "Öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben, oder fordern Sie einen neuen Link an.",
  },
  changeEmail: {
    title: "Der Link hat funktioniert",
    text: "Falls eine zweite E-Mail nötig ist, haben wir Ihnen deren Link gesendet. Andernfalls ist Ihre E-Mail-Adresse geändert.",
  },
  changeEmailFailed: {
    title: "Ihre E-Mail-Adresse wurde nicht geändert",
    text: "Der Link wurde bereits verwendet, ist abgelaufen oder erfordert, dass Sie angemeldet sind. Melden Sie sich an und ändern Sie Ihre E-Mail-Adresse erneut.",
  },
  deleteAccount: {
    title: "Ihr Konto ist gelöscht",
    text: "Alle Ihre Daten sind gelöscht. Sie können diese Seite schließen.",
  },
  deleteAccountOpen: {
    title: "Hier wurde nichts gelöscht",
    text: "Sie können Ihr Konto auf der Seite mit Ihren Daten löschen.",
    action: "Zu Ihren Daten",
  },
  deleteAccountFailed: {
    title: "Ihr Konto wurde nicht gelöscht",
    text: "Der Link wurde bereits verwendet, ist abgelaufen oder erfordert, dass Sie angemeldet sind. Melden Sie sich an und löschen Sie Ihr Konto erneut.",
  },
  done: {
    title: "Hier ist nichts mehr zu tun",
    text: "Falls Sie über einen Link in einer E-Mail hierher gekommen sind, hat er funktioniert.",
  },
  returned: {
    title: "Sie sind angemeldet",
    text: "Die Anwendung hat Sie hierher zurückgeschickt. Kehren Sie zu ihr zurück oder schließen Sie diese Seite.",
  },
  failures: {
    link: {
      title: "Dieser Link hat nicht funktioniert",
      text: "Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie auf der Anmeldeseite einen neuen an.",
    },
    cancelled: {
      title: "Die Anmeldung wurde abgebrochen",
      text: "Es hat sich nichts geändert. Versuchen Sie es erneut oder melden Sie sich auf einem anderen Weg an.",
    },
    notLinked: {
      title: "Dieses Konto ist nicht verknüpft",
      text: "Für diese E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich dort auf einem anderen Weg an und verknüpfen Sie dann diesen Anbieter.",
    },
    noAccount: {
      title: "Sie haben noch kein Konto",
      text: "Auf diesem Weg werden keine Konten erstellt. Melden Sie sich auf einem anderen Weg an oder bitten Sie um eine Einladung.",
    },
    blocked: {
      title: "Dieses Konto ist gesperrt",
      text: "Sie können sich nicht anmelden. Wenden Sie sich an den Support, falls Sie dies für einen Irrtum halten.",
    },
    noEmail: {
      title: "Der Anbieter hat Ihre E-Mail-Adresse nicht übermittelt",
      text: "Erlauben Sie ihm, Ihre E-Mail-Adresse zu übermitteln, und versuchen Sie es erneut, oder melden Sie sich auf einem anderen Weg an.",
    },
    unverified: {
      title: "Bestätigen Sie zuerst Ihre E-Mail-Adresse",
      text: "Öffnen Sie den Link in der E-Mail, die wir Ihnen gesendet haben, und melden Sie sich dann an.",
    },
    address: {
      title: "Wir können Sie nicht zurückleiten",
      text: "Die Seite, von der Sie kommen, hat eine Adresse angegeben, die nicht erlaubt ist.",
    },
    other: {
      title: "Die Anmeldung ist fehlgeschlagen",
      text: "Versuchen Sie es erneut. Falls es weiterhin nicht klappt, melden Sie sich auf einem anderen Weg an oder wenden Sie sich an den Support.",
    },
  },
};

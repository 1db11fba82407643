import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  navigation: "Ihr Konto",
  menu: "Menü",
  skip: "Zum Inhalt springen",
  signOut: "Abmelden",
  close: "Schließen",
  dismiss: "Ausblenden",
  copied: "Kopiert",
  copyFailed: "Der Browser hat das Kopieren verhindert. Kopieren Sie es von Hand.",
  secret: {
    keep: "Kopieren Sie dies jetzt und bewahren Sie es an einem sicheren Ort auf. Es kann nicht noch einmal angezeigt werden.",
    lost: "Sie haben dies nicht kopiert. Es kann nicht noch einmal angezeigt werden. Schließen Sie erneut, um es zu verwerfen.",
    copy: "Kopieren",
    done: "Fertig",
  },
  yourPassword: "Ihr Passwort",
  screens: {
    profile: "Profil",
    security: "Sicherheit",
    sessions: "Sitzungen",
    apiKeys: "API-Schlüssel",
    organizations: "Organisationen",
    data: "Ihre Daten",
  },
  theme: { label: "Design", system: "Wie das System", light: "Hell", dark: "Dunkel" },
  stepUp: {
    title: "Bestätigen Sie, dass Sie es sind",
    text: "Für diese Änderung müssen Sie sich vor Kurzem angemeldet haben.",
    passkey: "Passkey verwenden",
    noPassword:
      "Kein Passwort? Melden Sie sich ab und wieder an. Sie kehren dann zu dieser Seite zurück.",
  },
};

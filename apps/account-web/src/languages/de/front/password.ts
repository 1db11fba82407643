import type { Translation } from "../../messages.ts";

export const password: Translation<"front", "password"> = {
  newPassword: "Neues Passwort",
  hint_one: "Mindestens {{count}} Zeichen.",
  hint_other: "Mindestens {{count}} Zeichen.",
  tooShort_one: "Verwenden Sie mindestens {{count}} Zeichen.",
  tooShort_other: "Verwenden Sie mindestens {{count}} Zeichen.",
  tooLong: "Wählen Sie ein kürzeres Passwort.",
  backToSignIn: "Zurück zur Anmeldung",
  forgot: {
    title: "Passwort zurücksetzen",
    text: "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen können.",
    submit: "Link senden",
  },
  sent: {
    title: "Prüfen Sie Ihren Posteingang",
    text: "Falls es für {{email}} hier ein Konto gibt, ist ein Link unterwegs. Er funktioniert nur einmal und nur für kurze Zeit.",
  },
  reset: { title: "Neues Passwort wählen", submit: "Passwort speichern" },
  changed: {
    title: "Ihr Passwort wurde geändert",
    text: "Melden Sie sich mit dem neuen Passwort an.",
    signIn: "Anmelden",
  },
  linkFailed: {
    title: "Dieser Link hat nicht funktioniert",
    text: "Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.",
    again: "Neuen Link anfordern",
  },
};

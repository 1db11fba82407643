import type { Translation } from "../../messages.ts";

export const signUp: Translation<"front", "signUp"> = {
  title: "Konto erstellen",
  lead: "um mit {{name}} fortzufahren",
  name: "Name",
  enterName: "Geben Sie Ihren Namen ein.",
  username: "Benutzername (optional)",
  submit: "Konto erstellen",
  hasAccount: "Sie haben bereits ein Konto?",
  signIn: "Anmelden",
  closed: {
    title: "Die Registrierung ist geschlossen",
    text: "Konten werden nur auf Einladung erstellt.",
  },
  mailed: {
    title: "Prüfen Sie Ihren Posteingang",
    text: "Wir haben einen Link an {{email}} gesendet. Öffnen Sie ihn, um Ihre E-Mail-Adresse zu bestätigen, und melden Sie sich dann an.",
  },
};

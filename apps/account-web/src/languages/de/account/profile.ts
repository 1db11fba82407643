import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Ihr Konto",
  signedInAs: "Sie sind als {{email}} angemeldet.",
  you: {
    title: "Profil",
    text: "Andere sehen Ihren Namen, wenn Sie zusammenarbeiten.",
    name: "Name",
    image: "Bild",
    imageHint: "Die Adresse eines Bildes, zum Beispiel https://example.com/me.png.",
    imageFault: "Geben Sie eine Adresse ein, die mit https:// beginnt.",
    username: "Benutzername",
    save: "Speichern",
    saved: "Profil gespeichert.",
  },
  email: {
    title: "E-Mail-Adresse",
    verified: "Bestätigt",
    unverified: "Nicht bestätigt",
    resend: "Bestätigung erneut senden",
    resent: "Wir haben einen Link an {{email}} gesendet.",
    change: "E-Mail-Adresse ändern",
    newEmail: "Neue E-Mail-Adresse",
    enterEmail: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
    confirmText:
      "Wir senden einen Link an Ihre bisherige E-Mail-Adresse. Öffnen Sie ihn, um die Änderung zu bestätigen.",
    atOnceText: "Wir senden einen Link an die neue E-Mail-Adresse, mit dem sie bestätigt wird.",
    changed:
      "E-Mail-Adresse geändert. Öffnen Sie den Link, den wir an die neue Adresse gesendet haben.",
    send: "Link senden",
    requested: "Ein Link ist auf dem Weg an Ihre bisherige E-Mail-Adresse.",
  },
};

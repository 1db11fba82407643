import type { pages as english } from "../en/pages.ts";
import type { Translated } from "../message.ts";

/** The German texts of the pages of mailed links. Readers are addressed as "Sie". */
export const pages: Translated<typeof english> = {
  ignore:
    "Falls Sie dies nicht angefordert haben, schließen Sie diese Seite: Es hat sich nichts geändert.",
  change: {
    title: "Neue E-Mail-Adresse bestätigen",
    text: "Ihr Konto bei {app} wird {newEmail} statt {email} verwenden.",
    button: "E-Mail-Adresse ändern",
  },
  delete: {
    title: "Konto löschen",
    text: "Ihr Konto {email} bei {app} wird endgültig gelöscht.",
    button: "Konto löschen",
  },
  signIn: {
    title: "Bei {app} anmelden",
    text: "Damit wird dieser Browser beim Konto von {email} bei {app} angemeldet.",
    button: "Anmelden",
  },
  signInClaim: {
    title: "Bei {app} anmelden",
    text: "{email} wurde für dieses Konto bei {app} nie bestätigt. Jemand anderes könnte es registriert haben. Die Anmeldung mit diesem Link entfernt:",
    password: "das Passwort",
    accounts: "die verknüpften Konten",
    passkeys: "die Passkeys",
    secondFactor: "den zweiten Faktor",
    phoneNumber: "die Telefonnummer",
    rest: "Alle anderen Geräte werden abgemeldet, und API-Schlüssel enden.",
    choose: "Danach wählen Sie über eine weitere E-Mail ein neues Passwort.",
    instead:
      "Gehört das Konto Ihnen und kennen Sie das Passwort? Melden Sie sich damit an, und bestätigen Sie die E-Mail-Adresse in Ihrem Profil. Dann wird nichts entfernt.",
    toSignIn: "Mit dem Passwort anmelden",
    button: "Entfernen und anmelden",
  },
  signInElsewhere: {
    title: "Öffnen Sie diesen Link im anderen Browser",
    text: "Dieser Link meldet beim Konto von {email} bei {app} an. Er funktioniert nur in dem Browser, in dem Sie ihn angefordert haben.",
  },
  undo: {
    title: "Änderung der E-Mail-Adresse rückgängig machen",
    text: "Ihr Konto bei {app} wird wieder {email} statt {newEmail} verwenden. Alle Geräte werden abgemeldet, und Sie wählen ein neues Passwort.",
    button: "Änderung rückgängig machen",
  },
  verify: {
    title: "E-Mail-Adresse bestätigen",
    text: "Damit wird {email} für ein Konto bei {app} bestätigt.",
    button: "E-Mail-Adresse bestätigen",
  },
  verifyAndSignIn: {
    title: "E-Mail-Adresse bestätigen",
    text: "Damit wird {email} für ein Konto bei {app} bestätigt. Außerdem wird dieser Browser bei diesem Konto angemeldet.",
    button: "Bestätigen und anmelden",
  },
  verified: {
    title: "Ihre E-Mail-Adresse ist bestätigt",
    text: "Sie können diese Seite schließen.",
  },
  deleted: {
    title: "Ihr Konto ist gelöscht",
    text: "Sie können diese Seite schließen.",
  },
  signedIn: {
    title: "Sie sind angemeldet",
    text: "Sie können diese Seite schließen.",
  },
  undone: {
    title: "Ihre E-Mail-Adresse ist wie zuvor",
    text: "Alle Geräte sind abgemeldet. Eine E-Mail mit einem Link, um ein neues Passwort zu wählen, ist unterwegs zu Ihnen.",
  },
  expired: {
    title: "Dieser Link ist abgelaufen",
    text: "Fordern Sie in der Anwendung einen neuen an.",
  },
  signedOut: {
    title: "Melden Sie sich zuerst an",
    text: "Melden Sie sich in diesem Browser bei Ihrem Konto an und öffnen Sie dann den Link erneut.",
  },
  notGood: {
    title: "Dieser Link kann nicht verwendet werden",
    text: "Er wurde bereits verwendet, wurde ersetzt oder ist unvollständig. Fordern Sie in der Anwendung einen neuen an.",
  },
};

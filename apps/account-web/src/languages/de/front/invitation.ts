import type { Translation } from "../../messages.ts";

export const invitation: Translation<"front", "invitation"> = {
  title: "{{organization}} beitreten",
  text: "{{inviter}} lädt Sie mit der Rolle {{role}} ein.",
  accept: "Einladung annehmen",
  decline: "Ablehnen",
  accepted: "Sie sind jetzt Mitglied von {{organization}}.",
  declined: "Sie haben die Einladung abgelehnt.",
  signedOut: {
    title: "Sie wurden eingeladen",
    text: "Melden Sie sich mit der E-Mail-Adresse an, an die die Einladung ging, oder erstellen Sie ein Konto dafür.",
    signIn: "Anmelden",
    signUp: "Konto erstellen",
  },
  other: {
    title: "Diese Einladung gilt für eine andere E-Mail-Adresse",
    text: "Sie sind als {{email}} angemeldet. Melden Sie sich mit der E-Mail-Adresse an, an die die Einladung ging.",
    signOut: "Anderes Konto verwenden",
  },
  unverified: {
    title: "Bestätigen Sie zuerst Ihre E-Mail-Adresse",
    text: "Diese Einladung kann nur sehen, wem {{email}} gehört. Wir senden Ihnen einen Link, der hierher zurückführt.",
    send: "Link senden",
    sent: "Der Link ist unterwegs. Öffnen Sie ihn in diesem Browser.",
  },
  gone: {
    title: "Diese Einladung ist nicht mehr gültig",
    text: "Sie wurde beantwortet oder zurückgezogen oder ist abgelaufen. Bitten Sie um eine neue.",
  },
};

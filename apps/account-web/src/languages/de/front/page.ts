import type { Translation } from "../../messages.ts";

export const page: Translation<"front", "page"> = {
  language: "Sprache",
  terms: "Nutzungsbedingungen",
  privacy: "Datenschutz",
  support: "Support",
  or: "oder",
  back: "Zurück",
  cancel: "Abbrechen",
  retry: "Erneut versuchen",
  continue: "Weiter",
  goToApplication: "Weiter zu {{name}}",
  loading: "Wird geladen",
  offline:
    "Sie sind offline. Diese Seite wird fortgesetzt, sobald die Verbindung wiederhergestellt ist.",
  showPassword: "Passwort anzeigen",
  hidePassword: "Passwort verbergen",
};

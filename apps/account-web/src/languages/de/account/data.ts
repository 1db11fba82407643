import type { Translation } from "../../messages.ts";

export const data: Translation<"account", "data"> = {
  title: "Ihre Daten",
  lead: "Was über Sie gespeichert ist und wie Sie es löschen.",
  export: {
    title: "Ihre Daten herunterladen",
    text: "Eine Datei mit Ihrem Profil, Ihren Anmeldemethoden, Sitzungen, Schlüsseln und Organisationen.",
    action: "Daten herunterladen",
    fileName: "{{name}} Daten",
  },
  delete: {
    title: "Konto löschen",
    text: "Ihr Konto und alles darin wird gelöscht. Dies kann nicht rückgängig gemacht werden.",
    action: "Konto löschen",
    confirmTitle: "Ihr Konto löschen?",
    mailedTitle: "Prüfen Sie Ihren Posteingang",
    mailedText:
      "Wir haben einen Link an {{email}} gesendet. Öffnen Sie ihn, um Ihr Konto zu löschen.",
    done: "Fertig",
  },
};

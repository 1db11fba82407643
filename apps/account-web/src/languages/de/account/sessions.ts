import type { Translation } from "../../messages.ts";

export const sessions: Translation<"account", "sessions"> = {
  title: "Sitzungen",
  lead: "Die Browser und Geräte, auf denen Sie angemeldet sind.",
  list: "Aktive Sitzungen",
  device: "{{browser}} unter {{system}}",
  unknownDevice: "Unbekanntes Gerät",
  current: "Diese Sitzung",
  address: "IP-Adresse {{address}}",
  started: "Angemeldet",
  lastActive: "Zuletzt aktiv",
  expires: "Endet",
  end: "Sitzung beenden",
  endOf: "Sitzung von {{device}} beenden",
  ended: "Sitzung beendet.",
  endOthers: "Alle anderen beenden",
  endOthersTitle: "Alle anderen Sitzungen beenden?",
  endOthersText: "Hier bleiben Sie angemeldet, überall sonst werden Sie abgemeldet.",
  othersEnded: "Alle anderen Sitzungen beendet.",
};

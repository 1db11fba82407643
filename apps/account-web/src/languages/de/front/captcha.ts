import type { Translation } from "../../messages.ts";

export const captcha: Translation<"front", "captcha"> = {
  title: "Bestätigen Sie, dass Sie ein Mensch sind",
  failed:
    "Das Captcha konnte nicht geladen werden. Prüfen Sie Ihre Verbindung, schalten Sie Inhaltsblocker für diese Seite aus und versuchen Sie es erneut.",
};

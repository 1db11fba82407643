import type { Translation } from "../../messages.ts";

export const errors: Translation<"front", "errors"> = {
  network:
    "Der Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
  unreadable: "Der Server hat unerwartet geantwortet. Versuchen Sie es gleich noch einmal.",
  unavailable: "Dies ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.",
  failed: "Ein Fehler ist aufgetreten. Versuchen Sie es erneut.",
  failedWithId:
    "Ein Fehler ist aufgetreten. Versuchen Sie es erneut. Falls der Fehler weiterhin auftritt, senden Sie dem Support diese ID: {{id}}.",
  refused: "Dies wurde abgelehnt. Prüfen Sie Ihre Eingaben und versuchen Sie es erneut.",
  forbidden: "Dazu sind Sie nicht berechtigt.",
  notFound: "Dies wurde nicht gefunden. Möglicherweise wurde es gelöscht.",
  signedOut: "Ihre Sitzung ist beendet. Melden Sie sich erneut an.",
  wait_one: "Zu viele Versuche. Versuchen Sie es in {{count}} Sekunde erneut.",
  wait_other: "Zu viele Versuche. Versuchen Sie es in {{count}} Sekunden erneut.",
  waitMinutes_one: "Zu viele Versuche. Versuchen Sie es in {{count}} Minute erneut.",
  waitMinutes_other: "Zu viele Versuche. Versuchen Sie es in {{count}} Minuten erneut.",
  waitOver: "Sie können es jetzt erneut versuchen.",
  required: "Diese Angabe ist erforderlich.",
  passkey:
    "Der Browser konnte keinen Passkey verwenden. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.",
  pages: {
    notFound: {
      title: "Seite nicht gefunden",
      text: "Möglicherweise ist die Adresse falsch geschrieben oder die Seite wurde verschoben.",
    },
    failed: { title: "Diese Seite konnte nicht geladen werden" },
  },
  codes: {
    INVALID_EMAIL_OR_PASSWORD: "Die E-Mail-Adresse oder das Passwort ist falsch.",
    INVALID_USERNAME_OR_PASSWORD: "Der Benutzername oder das Passwort ist falsch.",
    INVALID_EMAIL: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
    INVALID_PASSWORD: "Das Passwort ist falsch.",
    EMAIL_NOT_VERIFIED:
      "Bestätigen Sie zuerst Ihre E-Mail-Adresse. Öffnen Sie dazu den Link in der E-Mail, die wir Ihnen gesendet haben.",
    BANNED_USER: "Dieses Konto ist gesperrt.",
    PASSWORD_TOO_SHORT: "Wählen Sie ein längeres Passwort.",
    PASSWORD_TOO_LONG: "Wählen Sie ein kürzeres Passwort.",
    INVALID_CODE: "Dieser Code ist falsch. Geben Sie den neuesten ein.",
    INVALID_BACKUP_CODE: "Dieser Backup-Code ist falsch oder wurde bereits verwendet.",
    OTP_HAS_EXPIRED: "Dieser Code ist abgelaufen. Fordern Sie einen neuen an.",
    OTP_EXPIRED: "Dieser Code ist abgelaufen. Fordern Sie einen neuen an.",
    INVALID_OTP: "Dieser Code ist falsch. Geben Sie den neuesten ein.",
    TOO_MANY_ATTEMPTS: "Zu viele falsche Codes. Fordern Sie einen neuen an.",
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Zu viele falsche Codes. Fordern Sie einen neuen an.",
    ACCOUNT_TEMPORARILY_LOCKED: "Zu viele falsche Codes. Versuchen Sie es später erneut.",
    INVALID_TWO_FACTOR_COOKIE: "Diese Anmeldung ist abgelaufen. Melden Sie sich erneut an.",
    TWO_FACTOR_REQUIRED: "Ihr Konto erfordert einen zweiten Faktor.",
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER:
      "Dieser Benutzername ist vergeben. Wählen Sie einen anderen.",
    USERNAME_IS_TOO_SHORT: "Wählen Sie einen längeren Benutzernamen.",
    USERNAME_IS_TOO_LONG: "Wählen Sie einen kürzeren Benutzernamen.",
    USERNAME_IS_INVALID: "Verwenden Sie nur Buchstaben, Ziffern, Unterstriche und Punkte.",
    USER_ALREADY_EXISTS:
      "Für diese E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich stattdessen an.",
    INVALID_TOKEN:
      "Dieser Link wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.",
    INVALID_CALLBACKURL:
      "Die Seite, von der Sie kommen, hat eine Adresse angegeben, die nicht erlaubt ist.",
    MISSING_CAPTCHA_RESPONSE: "Lösen Sie zuerst das Captcha.",
    CAPTCHA_VERIFICATION_FAILED: "Das Captcha wurde nicht akzeptiert. Versuchen Sie es erneut.",
    SIGNUP_DISABLED: "Für diese E-Mail-Adresse gibt es kein Konto.",
    ACCOUNT_NOT_LINKED:
      "Für diese E-Mail-Adresse gibt es bereits ein Konto. Melden Sie sich auf einem anderen Weg an und verknüpfen Sie dann diesen Anbieter.",
    CHALLENGE_NOT_FOUND: "Das hat zu lange gedauert. Versuchen Sie es erneut.",
    PASSKEY_NOT_FOUND: "Dieser Passkey ist hier nicht bekannt. Verwenden Sie einen anderen.",
    AUTHENTICATION_FAILED:
      "Der Passkey wurde nicht akzeptiert. Versuchen Sie es erneut oder melden Sie sich auf einem anderen Weg an.",
    SESSION_IS_NOT_FRESH: "Bestätigen Sie, dass Sie es sind, und versuchen Sie es erneut.",
  },
};

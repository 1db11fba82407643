import type { Translation } from "../../messages.ts";

export const accountErrors: Translation<"account", "accountErrors"> = {
  FAILED_TO_UPDATE_USER: "Dies konnte nicht gespeichert werden. Versuchen Sie es erneut.",
  FIELD_IS_REQUIRED: "Eine erforderliche Angabe fehlt.",
  EMAIL_IS_THE_SAME: "Dies ist Ihre bisherige E-Mail-Adresse.",
  EMAIL_ALREADY_IN_USE: "Diese E-Mail-Adresse wird bereits verwendet.",
  COULDNT_UPDATE_YOUR_EMAIL:
    "Diese E-Mail-Adresse kann nicht verwendet werden. Geben Sie eine andere ein.",
  CHANGE_EMAIL_IS_DISABLED: "Die E-Mail-Adresse kann hier nicht geändert werden.",
  VERIFICATION_EMAIL_ISNT_ENABLED:
    "Diese E-Mail-Adresse kann hier nicht bestätigt werden. Wenden Sie sich an den Support.",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "Sie haben kein Passwort.",
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT:
    "Dies ist Ihre letzte Anmeldemöglichkeit. Fügen Sie zuerst eine andere hinzu.",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN:
    "Dies ist Ihre letzte Anmeldemöglichkeit. Fügen Sie zuerst eine andere hinzu.",
  ACCOUNT_NOT_FOUND: "Dieser Anbieter ist nicht mehr verknüpft.",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "Dieses Konto ist mit einem anderen Benutzer verknüpft.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS:
    "Sie haben die maximale Anzahl an Passkeys. Löschen Sie zuerst einen.",
  PREVIOUSLY_REGISTERED: "Auf diesem Gerät gibt es bereits einen Passkey für Ihr Konto.",
  FAILED_TO_VERIFY_REGISTRATION: "Der Passkey wurde nicht akzeptiert. Versuchen Sie es erneut.",
  TOTP_ALREADY_ENABLED:
    "Eine Authenticator-App ist bereits eingerichtet. Schalten Sie sie zuerst aus.",
  TOTP_NOT_ENABLED: "Die Einrichtung ist abgelaufen. Beginnen Sie von vorn.",
  SESSION_NOT_FOUND: "Diese Sitzung ist bereits beendet.",
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN:
    "Sie sind der letzte Administrator, daher kann Ihr Konto nicht gelöscht werden. Ernennen Sie zuerst einen anderen Administrator.",
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION:
    "Dafür müssen Sie sich vor Kurzem angemeldet haben. Melden Sie sich ab und wieder an und versuchen Sie es erneut.",
  KEY_NOT_FOUND: "Diesen Schlüssel gibt es nicht mehr.",
  INVALID_NAME_LENGTH: "Wählen Sie einen Namen mit einer anderen Länge.",
  KEY_DISABLED_EXPIRATION: "Das Ablaufdatum kann hier nicht gewählt werden.",
  EXPIRES_IN_IS_TOO_SMALL: "Wählen Sie ein späteres Ablaufdatum.",
  EXPIRES_IN_IS_TOO_LARGE: "Wählen Sie ein früheres Ablaufdatum.",
  KEY_RETIRED: "Dieser Schlüssel wurde ersetzt und kann nicht geändert werden.",
  ORGANIZATION_ALREADY_EXISTS: "Dieser Kurzname ist vergeben. Wählen Sie einen anderen.",
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: "Sie dürfen keine Organisationen erstellen.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    "Sie haben die maximale Anzahl an Organisationen.",
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    "Die Organisation braucht einen Inhaber. Machen Sie zuerst ein anderes Mitglied zum Inhaber.",
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "Sie dürfen diese Rolle nicht vergeben.",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "Diese Person ist bereits Mitglied.",
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "Diese E-Mail-Adresse ist bereits eingeladen.",
  INVITATION_LIMIT_REACHED:
    "Es gibt zu viele Einladungen. Ziehen Sie eine zurück oder versuchen Sie es später erneut.",
  INVITATION_NOT_FOUND: "Diese Einladung ist nicht mehr gültig.",
  MEMBER_NOT_FOUND: "Diese Person ist kein Mitglied mehr.",
  TEAM_NOT_FOUND: "Dieses Team gibt es nicht mehr.",
  TEAM_MEMBER_LIMIT_REACHED: "Dieses Team ist voll.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: "Es sind keine weiteren Teams möglich.",
  UNABLE_TO_REMOVE_LAST_TEAM: "Das letzte Team kann nicht gelöscht werden.",
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: "Diese Organisation ist voll.",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    "Bestätigen Sie zuerst Ihre E-Mail-Adresse. Danach können Sie Einladungen beantworten.",
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
    "Diese URL kann nicht verwendet werden. Geben Sie eine öffentliche Adresse ein, die mit https:// beginnt.",
  THE_NUMBER_OF_WEBHOOKS_IS_LIMITED:
    "Die Organisation hat die Höchstzahl an Webhooks. Löschen Sie zuerst einen.",
  WEBHOOK_NOT_FOUND: "Diesen Webhook gibt es nicht mehr.",
  WEBHOOK_DELIVERY_NOT_FOUND: "Diese Zustellung gibt es nicht mehr.",
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: "Diese Zustellung ist nicht fehlgeschlagen.",
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION:
    "Ihre Rolle erlaubt Ihnen nicht, Webhooks zu verwalten.",
  YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS:
    "Ihre Rolle erlaubt Ihnen nicht, Ereignisse von API-Schlüsseln zu sehen.",
};

import type { front as english } from "../en/front.ts";
import type { Translated } from "../message.ts";

/** The German texts of the pages for signed-out users. Readers are addressed as "Sie". */
export const front: Translated<typeof english> = {
  captcha: {
    title: "Bestätigen Sie, dass Sie ein Mensch sind",
    failed:
      "Das Captcha konnte nicht geladen werden. Prüfen Sie Ihre Verbindung, schalten Sie Inhaltsblocker für diese Seite aus und versuchen Sie es erneut.",
  },
  errors: {
    network:
      "Der Server hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
    unreadable: "Der Server hat unerwartet geantwortet. Versuchen Sie es gleich noch einmal.",
    unavailable: "Dies ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.",
    failed: "Ein Fehler ist aufgetreten. Versuchen Sie es erneut.",
    failedWithId:
      "Ein Fehler ist aufgetreten. Versuchen Sie es erneut. Falls der Fehler weiterhin auftritt, senden Sie dem Support diese ID: {id}.",
    refused: "Dies wurde abgelehnt. Prüfen Sie Ihre Eingaben und versuchen Sie es erneut.",
    forbidden: "Dazu sind Sie nicht berechtigt.",
    notFound: "Dies wurde nicht gefunden. Möglicherweise wurde es gelöscht.",
    signedOut: "Ihre Sitzung ist beendet. Melden Sie sich erneut an.",
    wait: "Zu viele Versuche. Versuchen Sie es in {count, plural, one {# Sekunde erneut} other {# Sekunden erneut}}.",
    waitMinutes:
      "Zu viele Versuche. Versuchen Sie es in {count, plural, one {# Minute erneut} other {# Minuten erneut}}.",
    waitOver: "Sie können es jetzt erneut versuchen.",
    required: "Diese Angabe ist erforderlich.",
    passkey:
      "Der Browser konnte keinen Passkey verwenden. Versuchen Sie es erneut oder wählen Sie einen anderen Weg.",
    pages: {
      notFound: {
        title: "Seite nicht gefunden",
        text: "Möglicherweise ist die Adresse falsch geschrieben oder die Seite wurde verschoben.",
      },
      failed: {
        title: "Diese Seite konnte nicht geladen werden",
      },
    },
    codes: {
      INVALID_EMAIL_OR_PASSWORD: "Die E-Mail-Adresse oder das Passwort ist falsch.",
      INVALID_USERNAME_OR_PASSWORD: "Der Benutzername oder das Passwort ist falsch.",
      INVALID_EMAIL: "Geben Sie eine E-Mail-Adresse wie name@example.com ein.",
      INVALID_PASSWORD: "Das Passwort ist falsch.",
      EMAIL_NOT_VERIFIED: "Bestätigen Sie zuerst Ihre E-Mail-Adresse.",
      BANNED_USER: "Dieses Konto ist gesperrt.",
      PASSWORD_TOO_SHORT: "Wählen Sie ein längeres Passwort.",
      PASSWORD_TOO_LONG: "Wählen Sie ein kürzeres Passwort.",
      PASSWORD_COMPROMISED: "Dieses Passwort ist aus Datenlecks bekannt. Wählen Sie ein anderes.",
      PASSWORD_CHANGE_REQUIRED:
        "Dieses Passwort ist aus Datenlecks bekannt. Wählen Sie ein neues über den Link, der an Ihre E-Mail-Adresse geschickt wurde.",
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
      TOO_MANY_SESSIONS:
        "In diesem Browser sind zu viele Konten angemeldet. Melden Sie zuerst eines davon ab.",
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
  },
  invitation: {
    title: "{organization} beitreten",
    text: "{inviter} lädt Sie mit der Rolle {role} ein.",
    accept: "Einladung annehmen",
    decline: "Ablehnen",
    accepted: "Sie sind jetzt Mitglied von {organization}.",
    declined: "Sie haben die Einladung abgelehnt.",
    signedOut: {
      text: "Sie gilt für {email}. Melden Sie sich damit an oder erstellen Sie ein Konto.",
      signIn: "Anmelden und annehmen",
      signUp: "Konto erstellen und annehmen",
    },
    other: {
      title: "Diese Einladung gilt für eine andere E-Mail-Adresse",
      text: "Sie sind als {email} angemeldet. Melden Sie sich mit der E-Mail-Adresse an, an die die Einladung ging.",
      signOut: "Anderes Konto verwenden",
    },
    unverified: {
      title: "Bestätigen Sie zuerst Ihre E-Mail-Adresse",
      text: "Diese Einladung kann nur sehen, wem {email} gehört. Wir senden Ihnen einen Link, der hierher zurückführt.",
      send: "Link senden",
      sent: "Der Link ist unterwegs. Öffnen Sie ihn in diesem Browser.",
      code: "Diese Einladung kann nur sehen, wem {email} gehört. Wir senden Ihnen einen Code.",
      sendCode: "Code senden",
    },
    gone: {
      title: "Diese Einladung ist nicht mehr gültig",
      text: "Sie wurde beantwortet oder zurückgezogen oder ist abgelaufen. Bitten Sie um eine neue.",
    },
  },
  page: {
    language: "Sprache",
    terms: "Nutzungsbedingungen",
    privacy: "Datenschutz",
    support: "Support",
    or: "oder",
    back: "Zurück",
    cancel: "Abbrechen",
    retry: "Erneut versuchen",
    continue: "Weiter",
    goToApplication: "Weiter zu {name}",
    loading: "Wird geladen",
    offline:
      "Sie sind offline. Diese Seite wird fortgesetzt, sobald die Verbindung wiederhergestellt ist.",
    showPassword: "Passwort anzeigen",
    hidePassword: "Passwort verbergen",
    codeHint: "Der Code wird geprüft, sobald Sie die letzte Ziffer eingeben.",
  },
  password: {
    newPassword: "Neues Passwort",
    strength1: "Schwach",
    strength2: "Mittel",
    strength3: "Gut",
    strength4: "Stark",
    hint: "Mindestens {count, plural, one {# Zeichen} other {# Zeichen}}.",
    tooShort: "Verwenden Sie mindestens {count, plural, one {# Zeichen} other {# Zeichen}}.",
    tooLong: "Wählen Sie ein kürzeres Passwort.",
    backToSignIn: "Zurück zur Anmeldung",
    forgot: {
      title: "Passwort zurücksetzen",
      text: "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort wählen können.",
      submit: "Link senden",
      code: "Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code, mit dem Sie ein neues Passwort wählen können.",
      sendCode: "Code senden",
    },
    sent: {
      title: "Prüfen Sie Ihren Posteingang",
      text: "Falls es für {email} hier ein Konto gibt, ist ein Link unterwegs. Er funktioniert nur einmal und nur für kurze Zeit.",
      code: "Falls es für {email} hier ein Konto gibt, ist ein Code unterwegs. Geben Sie ihn ein, um ein neues Passwort zu wählen.",
    },
    reset: {
      title: "Neues Passwort wählen",
      submit: "Passwort speichern",
      keysStay:
        "Falls Ihre E-Mail-Adresse noch nicht vollständig bestätigt war, werden API-Schlüssel möglicherweise gelöscht. Andernfalls funktionieren sie weiter.",
      keysEnd:
        "API-Schlüssel, die sich als Sie anmelden können, werden gelöscht. Falls Ihre E-Mail-Adresse noch nicht vollständig bestätigt war, werden möglicherweise auch die anderen gelöscht.",
      claim:
        "Ihre E-Mail-Adresse wurde für dieses Konto nie vollständig bestätigt, daher könnte jemand anderes es registriert haben. Das neue Passwort ersetzt das bisherige.",
      removes: "Beim Speichern wird außerdem entfernt:",
    },
    changed: {
      title: "Ihr Passwort wurde geändert",
      text: "Melden Sie sich mit dem neuen Passwort an.",
      signIn: "Anmelden",
    },
    linkFailed: {
      title: "Dieser Link hat nicht funktioniert",
      text: "Er wurde bereits verwendet oder ist abgelaufen. Fordern Sie einen neuen an.",
      again: "Neuen Link anfordern",
    },
  },
  secondFactor: {
    title: "Bestätigen Sie, dass Sie es sind",
    app: {
      label: "Code der Authenticator-App",
      hint: "Geben Sie den Code aus Ihrer Authenticator-App ein.",
      use: "Authenticator-App verwenden",
    },
    mail: {
      label: "Code aus der E-Mail",
      hint: "Wir senden Ihnen einen Code per E-Mail. Er ist einige Minuten gültig.",
      use: "Code per E-Mail verwenden",
      send: "Code per E-Mail senden",
      sent: "Ein Code ist auf dem Weg in Ihren Posteingang.",
      resend: "Weiteren Code senden",
    },
    backup: {
      label: "Backup-Code",
      hint: "Geben Sie einen der Backup-Codes ein, die Sie gespeichert haben. Jeder funktioniert nur einmal.",
      use: "Backup-Code verwenden",
    },
    trust: "Diesem Browser vertrauen",
    submit: "Bestätigen",
    expired: "Diese Anmeldung ist abgelaufen. Melden Sie sich erneut an.",
    tooMany: "Zu viele falsche Codes. Melden Sie sich erneut an.",
    enrolment: {
      title: "Zweiten Faktor einrichten",
      text: "Ihr Konto erfordert einen zweiten Faktor. Richten Sie eine Authenticator-App ein, um fortzufahren.",
      action: "App einrichten",
    },
  },
  signIn: {
    manageUsers: "Auswählen, wer angemeldet bleibt",
    title: "Bei {name} anmelden",
    email: "E-Mail-Adresse",
    emailOrUsername: "E-Mail-Adresse oder Benutzername",
    password: "Passwort",
    enterEmail: "Geben Sie Ihre E-Mail-Adresse ein.",
    enterEmailOrUsername: "Geben Sie Ihre E-Mail-Adresse oder Ihren Benutzernamen ein.",
    enterPassword: "Geben Sie Ihr Passwort ein.",
    submit: "Anmelden",
    forgot: "Passwort vergessen?",
    stay: "Angemeldet bleiben",
    noAccount: "Noch kein Konto?",
    signUp: "Registrieren",
    continueWith: "Weiter mit {name}",
    otherWays: "Andere Wege",
    lastUsed: "Zuletzt verwendet",
    mailLink: "Anmeldelink per E-Mail senden",
    mailCode: "Code per E-Mail senden",
    textCode: "Code per SMS senden",
    passkey: "Mit Passkey anmelden",
    linkSent: {
      title: "Prüfen Sie Ihren Posteingang",
      text: "Falls sich {email} hier anmelden kann, ist ein Link unterwegs. Öffnen Sie ihn in diesem Browser.",
      resend: "Weiteren Link senden",
      again: "Ein weiterer Link ist unterwegs.",
    },
    codeSent: {
      title: "Code eingeben",
      text: "Falls sich {recipient} hier anmelden kann, ist ein Code unterwegs.",
      code: "Code",
      resend: "Weiteren Code senden",
      again: "Ein weiterer Code ist unterwegs.",
    },
    claim: {
      password: "das Passwort",
      accounts: "die verknüpften Konten",
      passkeys: "die Passkeys",
      secondFactor: "den zweiten Faktor",
      phoneNumber: "die Telefonnummer",
      rest: "Alle anderen Geräte werden abgemeldet, und API-Schlüssel enden.",
    },
    ended: "Ihre Sitzung ist beendet. Melden Sie sich erneut an, um fortzufahren.",
    created: "Ihr Konto ist erstellt. Melden Sie sich an, um fortzufahren.",
    signedOut: "Sie haben sich abgemeldet.",
  },
  signUp: {
    title: "Konto erstellen",
    guest:
      "Sie sind als Gast hier. Erstellen Sie ein Konto oder melden Sie sich an, um zu behalten, was Sie haben.",
    lead: "um mit {name} fortzufahren",
    name: "Name",
    enterName: "Geben Sie Ihren Namen ein.",
    username: "Benutzername (optional)",
    submit: "Konto erstellen",
    hasAccount: "Sie haben bereits ein Konto?",
    signIn: "Anmelden",
    complete: {
      title: "Profil vervollständigen",
      text: "{name} benötigt diese Angaben, um Ihr Konto zu erstellen.",
      again: "{name} benötigt dies, bevor es weitergeht.",
    },
    closed: {
      title: "Die Registrierung ist geschlossen",
      text: "Konten werden nur auf Einladung erstellt.",
    },
  },
  verification: {
    title: "E-Mail-Adresse bestätigen",
    link: "Wir haben einen Link an {email} gesendet. Öffnen Sie ihn, um Ihre E-Mail-Adresse zu bestätigen, und melden Sie sich dann an.",
    code: "Wir haben einen Code an {email} gesendet. Geben Sie ihn ein, um Ihre E-Mail-Adresse zu bestätigen.",
    either:
      "Wir haben einen Code und einen Link an {email} gesendet. Geben Sie den Code ein oder öffnen Sie den Link.",
    unknown: "Geben Sie Ihre E-Mail-Adresse und den Code ein, den wir dorthin gesendet haben.",
    linkUnknown:
      "Öffnen Sie den Link, den wir an Ihre E-Mail-Adresse gesendet haben, oder fordern Sie einen weiteren an.",
    submit: "Adresse bestätigen",
    resend: "Erneut senden",
    again:
      "Falls diese E-Mail-Adresse noch nicht bestätigt ist, ist eine weitere E-Mail unterwegs.",
    claim:
      "{email} wurde für dieses Konto nie bestätigt, daher könnte jemand anderes es registriert haben. Die Bestätigung mit diesem Code entfernt:",
    remove: "Entfernen und bestätigen",
  },
};

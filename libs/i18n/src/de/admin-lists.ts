import type { adminLists as English } from "../en/admin-lists.ts";
import type { Translated } from "../message.ts";

/** The German texts of lists of the admin web, and of its users, by namespace. */
export const adminLists: Translated<typeof English> = {
  faults: {
    tooLong: "Verwenden Sie höchstens {max} Zeichen.",
    json: "Geben Sie ein JSON-Objekt ein, etwa {example}.",
    enterName: "Geben Sie einen Namen ein.",
    enterSlug: "Geben Sie einen Slug ein.",
    email: "Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.",
    chooseUser: "Wählen Sie einen Benutzer.",
  },
  bulk: {
    failures: "Was fehlgeschlagen ist",
    retry: "Fehlgeschlagene wiederholen",
    title: "{action}: {rows}",
    progress: "{done} von {total} erledigt",
    failed: ", {count} fehlgeschlagen",
    notStarted: ", die übrigen wurden nicht begonnen",
    question: "{rows}: {action}?",
    form: "{rows}: {action}",
    typedDelete: "löschen",
  },
  table: {
    showFitting: "Passende anzeigen",
    columns: "Spalten",
    emptyPage: "Keine Zeilen auf dieser Seite",
    firstPage: "Erste Seite",
    emptyPageText: "Sie wurden gelöscht oder sind auf einer anderen Seite.",
    clearSearch: "Suche leeren",
    noResultsText: "Ändern Sie die Suche oder die Filter.",
    selectRow: "{name} auswählen",
    selectPage: "Nur diese Seite auswählen",
    selectAllRows: "Alle {rows} auf dieser Seite auswählen",
    selectFirst: "Die ersten auswählen: {rows}",
    selectAll: "Alle auswählen: {rows}",
    selected: ", {count} ausgewählt",
  },
  exports: {
    action: "Exportieren",
    format: "Format",
    title: "{rows} exportieren",
    text: "Die Datei enthält alle {rows}, die der aktuellen Suche und den Filtern entsprechen, in dieser Reihenfolge als CSV. Sie lässt sich in jeder Tabellenkalkulation öffnen.",
    soFar: "Bisher {rows} …",
    done: "{rows} exportiert.",
    cut: "Eine Datei enthält höchstens {rows}. Filtern Sie die Liste, um die übrigen zu exportieren.",
  },
  pickers: {
    nameOrId: "Name oder ID",
    id: "ID {id}",
    searching: "Suche läuft …",
    hint: "E-Mail-Adresse, Name oder ID",
    failed: "Die Suche ist fehlgeschlagen. Ändern Sie den Text, um es erneut zu versuchen.",
    organization: "{name} (Organisation)",
    showAllUsers: "{rows} von {name}: alle Benutzer anzeigen",
    showAllOrganizations: "{rows} von {name}: alle Organisationen anzeigen",
  },
  durations: {
    hours: "{count, plural, one {# Stunde} other {# Stunden}}",
    days: "{count, plural, one {# Tag} other {# Tage}}",
    minutes: "{count, plural, one {# Minute} other {# Minuten}}",
    seconds: "{count, plural, one {# Sekunde} other {# Sekunden}}",
    milliseconds: "{count, plural, one {# Millisekunde} other {# Millisekunden}}",
  },
  roles: {
    chooseOne: "Wählen Sie mindestens eine Rolle.",
    changed: "Rollen von {email}: {roles}.",
    change: "Rollen ändern",
    any: "Beliebige Rolle",
  },
  ban: {
    laterDay: "Wählen Sie heute oder einen späteren Tag.",
    reasonHint: "Wird beim Benutzer und im Audit-Log gespeichert.",
    duration: "Dauer",
    usual: "Standard",
    year: "1 Jahr",
    until: "Bis zu einem Datum",
  },
  fields: {
    notSet: "Nicht festgelegt",
    inUtc: "In UTC.",
    valuePerLine: "Ein Wert pro Zeile.",
    numberPerLine: "Eine Zahl pro Zeile.",
    enterNumberPerLine: "Geben Sie eine Zahl pro Zeile ein.",
    enterDate: "Geben Sie Datum und Uhrzeit ein.",
    enterValue: "Geben Sie einen Wert ein.",
    enterNumber: "Geben Sie eine Zahl ein.",
  },
  users: {
    password: {
      hint: "Geben Sie es an den Benutzer weiter. Es wird nicht noch einmal angezeigt.",
      generate: "Erzeugen",
      copy: "Passwort kopieren",
      enter: "Geben Sie ein Passwort ein oder erzeugen Sie eines.",
    },
    deleted: "Gelöschter Benutzer",
    theDeleted: "des gelöschten Benutzers",
    thisUser: "dieses Benutzers",
    states: {
      banned: "Gesperrt",
      unverified: "Unbestätigt",
      active: "Aktiv",
    },
    create: {
      title: "Benutzer erstellen",
      done: "{email} erstellt.",
      verification: "Bestätigung der E-Mail-Adresse",
      text: "Sie wählen ein Passwort und geben es weiter. Soll der Benutzer selbst eines wählen, laden Sie ihn ein.",
    },
    invite: {
      title: "Benutzer einladen",
      done: "Einladung an {email} gesendet.",
      action: "Einladung senden",
      text: "Der Benutzer erhält eine E-Mail mit einem Link, um ein Passwort zu wählen. Der Link bestätigt auch seine E-Mail-Adresse.",
    },
    canSignIn: "Kann sich anmelden",
    signsInWith: "Meldet sich an mit",
    lastSignIn: "Letzte Anmeldung",
    signedUp: "Registriert",
    bulk: {
      unban: "Entsperren",
      ban: "Sperren",
      banText:
        "Die Benutzer werden überall abgemeldet und können sich erst wieder anmelden, wenn Sie sie entsperren. Bis dahin werden auch ihre API-Schlüssel abgelehnt.",
      unbanText:
        "Die Benutzer können sich wieder anmelden, und ihre API-Schlüssel funktionieren wieder.",
      signOutText:
        "Alle Sitzungen der Benutzer enden auf jedem Gerät. Sie können sich wieder anmelden. Ihre API-Schlüssel funktionieren weiter.",
      deleteText:
        "Die Benutzer werden mit ihren Sitzungen, Konten und API-Schlüsseln endgültig gelöscht. Dies kann nicht rückgängig gemacht werden.",
    },
    showAllOf: "Alle anzeigen: {title}",
    emailStates: {
      verified: "Bestätigt",
      unverified: "Unbestätigt",
    },
    views: {
      save: "Ansicht speichern",
      text: "Die aktuelle Suche, Filter und Sortierung erhalten einen Link in der Navigation dieses Browsers.",
      remove: "Ansicht entfernen",
    },
    filters: {
      anyState: "Beliebiger Status",
      notBanned: "Nicht gesperrt",
      anyEmail: "Beliebige E-Mail-Adresse",
      anyFactor: "Beliebiger Faktor",
      withFactor: "Mit zweitem Faktor",
      withoutFactor: "Ohne zweiten Faktor",
      anyTime: "Beliebige Zeit",
      today: "Heute",
      anyMethod: "Beliebige Methode",
      clear: "Filter leeren",
    },
    open: "Benutzer öffnen",
    notInList: "Die Liste auf dieser Seite zeigt diesen Benutzer nicht.",
    method: "Methode",
    search: "Benutzer suchen",
    searchHintWithUsername: "Name, E-Mail-Adresse, Benutzername, ID oder IP",
    searchHint: "Name, E-Mail-Adresse, ID oder IP-Adresse",
    none: "Noch keine Benutzer",
    noneText: "Benutzer erscheinen hier, wenn sie sich registrieren.",
  },
  verification: {
    atOnce: "Der Benutzer kann sich mit diesem Passwort sofort anmelden.",
    ifRequired:
      "Falls eine bestätigte E-Mail-Adresse erforderlich ist, kann sich der Benutzer erst nach der Bestätigung anmelden.",
    afterLink:
      "Der Benutzer kann sich anmelden, sobald er den Link in der Bestätigungs-E-Mail geöffnet hat.",
    notBefore: "Der Benutzer kann sich erst anmelden, wenn seine E-Mail-Adresse bestätigt ist.",
    passwordsOff:
      "Die Anmeldung mit Passwort ist ausgeschaltet, daher kann der Benutzer dieses Passwort nicht verwenden.",
    leave: "Unbestätigt lassen",
    mail: "Bestätigungs-E-Mail senden",
    verified: "Als bestätigt markieren",
    secondFactor: "Bei der ersten Anmeldung muss ein zweiter Faktor eingerichtet werden.",
  },
  rows: {
    about: "etwa {rows}",
    messages: {
      count:
        "{count, plural, one {# fehlgeschlagene Nachricht} other {# fehlgeschlagene Nachrichten}}",
      plural: "fehlgeschlagene Nachrichten",
    },
    options: {
      count: "{count, plural, one {# Option} other {# Optionen}}",
      plural: "Optionen",
    },
    users: {
      count: "{count, plural, one {# Benutzer} other {# Benutzer}}",
      plural: "Benutzer",
    },
    organizations: {
      count: "{count, plural, one {# Organisation} other {# Organisationen}}",
      plural: "Organisationen",
    },
    keys: {
      count: "{count, plural, one {# Schlüssel} other {# Schlüssel}}",
      plural: "Schlüssel",
    },
    members: {
      count: "{count, plural, one {# Mitglied} other {# Mitglieder}}",
      plural: "Mitglieder",
    },
    entries: {
      count: "{count, plural, one {# Eintrag} other {# Einträge}}",
      plural: "Einträge",
    },
    events: {
      count: "{count, plural, one {# Ereignis} other {# Ereignisse}}",
      plural: "Ereignisse",
    },
    webhooks: {
      count: "{count, plural, one {# Webhook} other {# Webhooks}}",
      plural: "Webhooks",
    },
    deliveries: {
      count: "{count, plural, one {# Zustellung} other {# Zustellungen}}",
      plural: "Zustellungen",
    },
    emails: {
      count: "{count, plural, one {# E-Mail} other {# E-Mails}}",
      plural: "E-Mails",
    },
  },
};

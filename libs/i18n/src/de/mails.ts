import type { mails as english } from "../en/mails.ts";
import type { Translated } from "../message.ts";

/** The German texts of the mails. Readers are addressed as "Sie". */
export const mails: Translated<typeof english> = {
  "greeting.named": "Guten Tag {name},",
  "greeting.plain": "Guten Tag,",
  "link.fallback": "Falls die Schaltfläche nicht funktioniert, öffnen Sie bitte diese Adresse:",
  "foot.support": "Fragen? Schreiben Sie an {address}",
  "foot.terms": "Nutzungsbedingungen",
  "foot.privacy": "Datenschutzerklärung",
  "code.expiry": "Der Code ist bis zum {time} gültig und kann nur einmal verwendet werden.",
  "code.warning": "Niemand von {app} wird Sie nach diesem Code fragen. Geben Sie ihn nicht weiter.",
  "browser.onSystem":
    "{browser} {system, select, iPhone {auf einem iPhone} iPad {auf einem iPad} other {unter {system}}}",
  "browser.unknown": "unbekannter Browser",
  "browser.atAddress": "{browser}, IP-Adresse {address}",
  "verification.subject": "Bestätigen Sie Ihre E-Mail-Adresse für {app}",
  "verification.lead": "Bitte bestätigen Sie, dass dies Ihre E-Mail-Adresse für {app} ist.",
  "verification.action": "E-Mail-Adresse bestätigen",
  "verification.footer":
    "Falls Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren.",
  "passwordReset.subject": "Setzen Sie Ihr Passwort für {app} zurück",
  "passwordReset.lead":
    "Jemand, vermutlich Sie, möchte ein neues Passwort für Ihr Konto bei {app} festlegen.",
  "passwordReset.action": "Neues Passwort wählen",
  "passwordReset.footer":
    "Falls Sie das nicht waren, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt unverändert.",
  "userInvitation.subject": "Sie sind zu {app} eingeladen",
  "userInvitation.lead":
    "Für Sie wurde ein Konto bei {app} angelegt. Wählen Sie ein Passwort, um sich anzumelden. Der Link funktioniert nur einmal{hasExpiry, select, yes { und bis zum {time}} other {}}.",
  "userInvitation.action": "Passwort wählen",
  "userInvitation.footer":
    "Falls Sie diese E-Mail nicht erwartet haben, können Sie sie ignorieren: Ohne Passwort kann sich niemand anmelden.",
  "accountDeletion.subject": "Bestätigen Sie die Löschung Ihres Kontos bei {app}",
  "accountDeletion.lead":
    "Bitte bestätigen Sie, dass Ihr Konto bei {app} gelöscht werden soll. Dies kann nicht rückgängig gemacht werden.",
  "accountDeletion.action": "Mein Konto löschen",
  "accountDeletion.footer":
    "Falls Sie dies nicht angefordert haben, öffnen Sie den Link nicht: Ihr Konto bleibt bestehen.",
  "accountLinked.subject": "Ein Konto bei {provider} wurde verknüpft",
  "accountLinked.lead":
    "Ein Konto bei {provider} wurde mit Ihrem Konto bei {app} verknüpft. Ab jetzt ist damit die Anmeldung möglich.",
  "accountLinked.footer":
    "Falls Sie das nicht waren, hat möglicherweise jemand anderes Zugang zu Ihrem Konto: Ändern Sie Ihr Passwort bei {app} und heben Sie die Verknüpfung mit dem Konto bei {provider} auf.",
  "claimed.subject": "Anmeldewege bei {app} wurden entfernt",
  "claimed.lead":
    "Ihre E-Mail-Adresse wurde für Ihr Konto bei {app} bestätigt. Sie war vorher nicht bestätigt, daher könnte jemand anderes das Konto eingerichtet haben. Entfernt wurden: {ended}. Alle anderen Geräte wurden abgemeldet, und frühere API-Schlüssel funktionieren nicht mehr.",
  "claimed.choose": "Wählen Sie über diesen Link ein neues Passwort. Er funktioniert einmal.",
  "claimed.action": "Neues Passwort wählen",
  "claimed.footer":
    "Falls Sie das nicht waren, kann jemand anderes Ihre E-Mails lesen: Ändern Sie das Passwort Ihres Postfachs, und wenden Sie sich an den Support von {app}.",
  "claimed.password": "das Passwort",
  "claimed.accounts": "verknüpfte Konten",
  "claimed.passkeys": "Passkeys",
  "claimed.secondFactor": "der zweite Faktor",
  "claimed.phoneNumber": "die Telefonnummer",
  "webhookPaused.subject": "Ereignisse an {place} sind angehalten",
  "webhookPaused.lead":
    "Ihr Webhook {place} ist seit {time} nicht erfolgreich. Er wurde angehalten und erhält keine weiteren Ereignisse.",
  "webhookPaused.footer":
    "Ereignisse, die in der Zwischenzeit eintreten, werden für begrenzte Zeit aufbewahrt. Sobald der Empfänger wieder antwortet, setzen Sie den Webhook bei {app} fort: Die wartenden Ereignisse werden dann gesendet.",
  "emailChange.subject": "Bestätigen Sie Ihre neue E-Mail-Adresse für {app}",
  "emailChange.lead":
    "Bitte bestätigen Sie, dass Ihre E-Mail-Adresse für {app} in {newEmail} geändert werden soll.",
  "emailChange.action": "E-Mail-Adresse ändern",
  "emailChange.footer":
    "Falls Sie dies nicht angefordert haben, öffnen Sie den Link nicht und ändern Sie Ihr Passwort.",
  "accountsMerged.subject": "Ihre Konten bei {app} wurden zusammengeführt",
  "accountsMerged.lead":
    "Die Administration von {app} hat am {time} zwei Konten zusammengeführt: {mergedEmail} gehört jetzt zu {email}. Melden Sie sich ab jetzt mit {email} an.",
  "accountsMerged.footer":
    "Falls nicht beide Konten Ihnen gehören oder Sie nicht einverstanden sind, wenden Sie sich vor dem {until} an den Support von {app}. Bis dahin lässt sich die Zusammenführung rückgängig machen.",
  "accountsSeparated.subject":
    "Die Zusammenführung Ihrer Konten bei {app} wurde rückgängig gemacht",
  "accountsSeparated.lead":
    "Die Administration von {app} hat am {time} die Zusammenführung zweier Konten rückgängig gemacht: {email} und {mergedEmail} sind wieder getrennte Konten. Melden Sie sich bei jedem mit seiner eigenen E-Mail-Adresse an. Alle Sitzungen von {email} wurden beendet.",
  "accountsSeparated.footer":
    "Falls Sie nicht einverstanden sind oder eines der Konten nicht Ihnen gehört, wenden Sie sich an den Support von {app}.",
  "emailChanged.subject": "Ihre E-Mail-Adresse für {app} wurde geändert",
  "emailChanged.lead":
    "Die E-Mail-Adresse Ihres Kontos bei {app} wurde in {newEmail} geändert. Falls Sie das nicht waren, können Sie die Änderung{hasExpiry, select, yes { bis zum {time}} other {}} über diesen Link rückgängig machen. Dabei werden alle Geräte abgemeldet, und Sie wählen ein neues Passwort.",
  "emailChanged.action": "Änderung rückgängig machen",
  "emailChanged.footer":
    "Falls Sie die Adresse selbst geändert haben, öffnen Sie den Link nicht: Sie müssen nichts weiter tun.",
  "signInLink.subject": "Ihr Link zur Anmeldung bei {app}",
  "signInLink.lead":
    "Öffnen Sie diesen Link, um sich bei {app} anzumelden. Er ist bis zum {time} gültig und funktioniert nur einmal. Niemand von {app} wird Sie nach diesem Link fragen. Geben Sie ihn nicht weiter.",
  "signInLink.action": "Anmelden",
  "signInLink.footer":
    "Falls Sie dies nicht angefordert haben, öffnen Sie den Link nicht und ignorieren Sie diese E-Mail: Ohne den Link kann sich niemand anmelden.",
  "invitation.subject":
    "Einladung zu {hasOrganization, select, yes {{organization}} other {einer Organisation}} bei {app}",
  "invitation.lead":
    "{inviter} lädt Sie ein, {hasOrganization, select, yes {{organization}} other {einer Organisation}} bei {app} beizutreten. Die Einladung gilt bis zum {time}.",
  "invitation.action": "Einladung annehmen",
  "invitation.footer":
    "Falls Sie diese Person nicht kennen, können Sie diese E-Mail ignorieren: Ohne Sie geschieht nichts.",
  "twoFactorCode.subject": "Bestätigen Sie bei {app}, dass Sie es sind",
  "twoFactorCode.lead":
    "Geben Sie diesen Code bei {app} ein, um zu bestätigen, dass Sie es sind. Er ist der zweite Faktor Ihres Kontos.",
  "twoFactorCode.footer":
    "Falls Sie dies nicht angefordert haben, kennt möglicherweise jemand anderes Ihr Passwort: Ändern Sie Ihr Passwort bei {app}.",
  "emailCode.signIn.subject": "Ihr Code zur Anmeldung bei {app}",
  "emailCode.signIn.lead": "Geben Sie diesen Code ein, um sich bei {app} anzumelden.",
  "emailCode.signIn.footer":
    "Falls Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren: Ohne den Code kann sich niemand anmelden.",
  "emailCode.verification.subject": "Bestätigen Sie Ihre E-Mail-Adresse für {app}",
  "emailCode.verification.lead":
    "Geben Sie diesen Code ein, um zu bestätigen, dass dies Ihre E-Mail-Adresse für {app} ist.",
  "emailCode.verification.footer":
    "Falls Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren.",
  "emailCode.password.subject": "Setzen Sie Ihr Passwort für {app} zurück",
  "emailCode.password.lead":
    "Geben Sie diesen Code ein, um ein neues Passwort für Ihr Konto bei {app} festzulegen.",
  "emailCode.password.footer":
    "Falls Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren: Ihr Passwort bleibt unverändert.",
  "emailCode.change.subject": "Bestätigen Sie Ihre neue E-Mail-Adresse für {app}",
  "emailCode.change.lead":
    "Geben Sie diesen Code ein, um diese E-Mail-Adresse künftig für Ihr Konto bei {app} zu verwenden.",
  "emailCode.change.footer":
    "Falls Sie dies nicht angefordert haben, können Sie diese E-Mail ignorieren: Ohne den Code ändert sich nichts.",
  "twoFactorEnabled.subject": "Ihr zweiter Faktor bei {app} wurde eingeschaltet",
  "twoFactorEnabled.lead":
    "Der zweite Faktor Ihres Kontos bei {app} wurde eingeschaltet. Ab jetzt ist zur Anmeldung ein Code erforderlich.",
  "twoFactorEnabled.footer":
    "Falls Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto: Ändern Sie Ihr Passwort bei {app} und wenden Sie sich an den Support.",
  "twoFactorDisabled.subject": "Ihr zweiter Faktor bei {app} wurde ausgeschaltet",
  "twoFactorDisabled.lead":
    "Der zweite Faktor Ihres Kontos bei {app} wurde ausgeschaltet. Zur Anmeldung ist kein Code mehr erforderlich.",
  "twoFactorDisabled.footer":
    "Falls Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto: Ändern Sie Ihr Passwort bei {app} und schalten Sie den zweiten Faktor wieder ein.",
  "twoFactorReset.subject": "Ihr zweiter Faktor bei {app} wurde entfernt",
  "twoFactorReset.lead":
    "Die Administration von {app} hat den zweiten Faktor Ihres Kontos entfernt. Alle Geräte wurden abgemeldet.",
  "twoFactorReset.footer":
    "Melden Sie sich bei {app} an und richten Sie wieder einen zweiten Faktor ein. Falls Sie dies nicht angefordert haben, ändern Sie Ihr Passwort und wenden Sie sich an den Support von {app}.",
  "twoFactorLocked.subject": "Ihr zweiter Faktor bei {app} ist gesperrt",
  "twoFactorLocked.lead":
    "Für den zweiten Faktor Ihres Kontos bei {app} wurden zu viele falsche Codes eingegeben. Er ist bis zum {time} gesperrt.",
  "twoFactorLocked.footer":
    "Falls Sie das nicht waren, kennt möglicherweise jemand anderes Ihr Passwort: Ändern Sie Ihr Passwort bei {app}. Mit falschen Codes kann sich niemand anmelden.",
  "twoFactorRequired.subject": "Richten Sie einen zweiten Faktor für {app} ein",
  "twoFactorRequired.lead":
    "Ihr Konto bei {app} braucht ab dem {time} einen zweiten Faktor. Richten Sie ihn bitte vorher ein, sonst müssen Sie es bei Ihrer nächsten Anmeldung tun.",
  "twoFactorRequired.footer":
    "Öffnen Sie {app} wie gewohnt: Diese E-Mail enthält keinen Link, und niemand von {app} wird Sie nach einem Code fragen.",
  "backupCodeUsed.subject": "Ein Backup-Code wurde bei {app} verwendet",
  "backupCodeUsed.lead":
    "Ein Backup-Code Ihres Kontos bei {app} wurde verwendet. {codesLeft, plural, =0 {Es sind keine Backup-Codes mehr übrig} one {Es ist noch # Backup-Code übrig} other {Es sind noch # Backup-Codes übrig}}.",
  "backupCodeUsed.footer":
    "Falls Sie das nicht waren, hat jemand anderes Ihre Backup-Codes: Ändern Sie Ihr Passwort bei {app} und erstellen Sie neue Backup-Codes.",
  "backupCodesGenerated.subject": "Neue Backup-Codes wurden bei {app} erstellt",
  "backupCodesGenerated.lead":
    "Für Ihr Konto bei {app} wurden neue Backup-Codes erstellt. Die bisherigen sind nicht mehr gültig.",
  "backupCodesGenerated.footer":
    "Falls Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto: Ändern Sie Ihr Passwort bei {app} und erstellen Sie neue Backup-Codes.",
  "passkeyAdded.subject": "Ein Passkey wurde Ihrem Konto bei {app} hinzugefügt",
  "passkeyAdded.lead":
    "{hasLabel, select, yes {Der Passkey „{label}“} other {Ein Passkey}} wurde Ihrem Konto bei {app} hinzugefügt ({origin}). Ab jetzt ist damit die Anmeldung möglich.",
  "passkeyAdded.footer":
    "Falls Sie das nicht waren, hat jemand anderes Zugang zu Ihrem Konto: Entfernen Sie den Passkey bei {app} und ändern Sie Ihr Passwort.",
  "passwordCompromised.subject": "Wählen Sie ein neues Passwort für {app}",
  "passwordCompromised.lead":
    "Sie haben sich bei {app} mit einem Passwort angemeldet, das aus Datenlecks anderer Websites bekannt ist. Andere könnten es ausprobieren. Wählen Sie bitte in Ihrem Konto ein anderes.",
  "passwordCompromised.footer":
    "Sonst ist alles in Ordnung: Niemand bei {app} kennt Ihr Passwort, und diese E-Mail enthält absichtlich keinen Link. Ändern Sie es auch überall sonst, wo Sie es verwenden.",
  "browserAdded.subject": "Neue Anmeldung bei {app}",
  "browserAdded.lead":
    "Jemand hat sich bei Ihrem Konto bei {app} angemeldet ({origin}). Dort haben Sie sich bisher nicht angemeldet.",
  "browserAdded.footer":
    "Waren Sie es selbst, müssen Sie nichts tun. Wenn nicht, ändern Sie Ihr Passwort bei {app} und beenden Sie die Sitzung.",
  "apiKeyAdded.subject": "Bei {app} wurde ein API-Schlüssel erstellt",
  "apiKeyAdded.lead":
    "{hasLabel, select, yes {Der API-Schlüssel „{label}“} other {Ein API-Schlüssel}} wurde bei {app} {owner, select, organization {für eine Organisation} other {für Ihr Konto}} erstellt ({creator, select, admin {von der Administration} other {{origin}}}). {opensSessions, select, yes {Ein Programm mit diesem Schlüssel kann in Ihrem Namen handeln.} other {Löschen Sie Schlüssel, die niemand mehr braucht.}}",
  "apiKeyAdded.footer":
    "Falls Sie das nicht erwartet haben, hat möglicherweise jemand anderes Zugang zu Ihrem Konto: Löschen Sie den Schlüssel bei {app} und ändern Sie Ihr Passwort.",
  "passkeyRemoved.subject": "Ein Passkey wurde aus Ihrem Konto bei {app} entfernt",
  "passkeyRemoved.lead":
    "{hasLabel, select, yes {Der Passkey „{label}“} other {Ein Passkey}} wurde aus Ihrem Konto bei {app} entfernt. Die Anmeldung ist damit nicht mehr möglich.",
  "passkeyRemoved.footer":
    "Falls Sie dies nicht veranlasst haben, hat möglicherweise jemand anderes Zugang zu Ihrem Konto: Ändern Sie Ihr Passwort bei {app} und prüfen Sie Ihre Passkeys.",
  "phoneCode.subject": "Code für {app}",
  "phoneCode.phone-number": "Ihr Code für {app} lautet {code}. Geben Sie ihn niemandem weiter.",
  "phoneCode.phone-password-reset":
    "Ihr Code für ein neues Passwort bei {app} lautet {code}. Geben Sie ihn niemandem weiter.",
  "phoneNumberChanged.subject": "Die Telefonnummer Ihres Kontos bei {app} wurde geändert",
  "phoneNumberChanged.lead":
    "{change, select, added {Für Ihr Konto bei {app} wurde eine Telefonnummer gesetzt. Ab jetzt ist damit die Anmeldung möglich.} removed {Die Telefonnummer Ihres Kontos bei {app} wurde entfernt. Die Anmeldung ist damit nicht mehr möglich.} other {Jemand anderes hat nachgewiesen, unter der Telefonnummer Ihres Kontos bei {app} SMS zu empfangen. Sie hatten sie lange nicht benutzt, daher wurde sie aus Ihrem Konto entfernt.}}",
  "phoneNumberChanged.footer":
    "Falls Sie dies nicht erwartet haben, hat möglicherweise jemand anderes Zugang zu Ihrem Konto: Prüfen Sie Ihre Telefonnummer bei {app} und ändern Sie Ihr Passwort.",
  "passkeyRefused.subject": "Eine Anmeldung mit einem Passkey bei {app} wurde abgelehnt",
  "passkeyRefused.lead":
    "Eine Anmeldung bei Ihrem Konto bei {app} wurde abgelehnt, weil {hasLabel, select, yes {der Passkey „{label}“} other {der Passkey}} möglicherweise kopiert wurde.",
  "passkeyRefused.footer":
    "Entfernen Sie diesen Passkey bei {app} und fügen Sie einen neuen hinzu. Falls die Anmeldung nicht von Ihnen kam, hat möglicherweise jemand anderes eine Kopie des Passkeys.",
};

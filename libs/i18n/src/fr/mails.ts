import type { mails as english } from "../en/mails.ts";
import type { Translated } from "../message.ts";

/** The French texts of the mails. Readers are addressed as "vous". */
export const mails: Translated<typeof english> = {
  "greeting.named": "Bonjour {name},",
  "greeting.plain": "Bonjour,",
  "link.fallback": "Si le bouton ne fonctionne pas, ouvrez cette adresse :",
  "foot.support": "Des questions ? Écrivez à {address}",
  "foot.terms": "Conditions d’utilisation",
  "foot.privacy": "Politique de confidentialité",
  "code.expiry": "Le code expire le {time} et ne peut être utilisé qu’une seule fois.",
  "code.warning": "Personne chez {app} ne vous demandera ce code. Ne le communiquez à personne.",
  "browser.onSystem":
    "{browser} sur {system, select, iPhone {un iPhone} iPad {un iPad} other {{system}}}",
  "browser.unknown": "un navigateur inconnu",
  "browser.atAddress": "{browser}, à l’adresse IP {address}",
  "verification.subject": "Vérifiez votre adresse e-mail pour {app}",
  "verification.lead": "Veuillez confirmer que cette adresse e-mail est bien la vôtre pour {app}.",
  "verification.action": "Vérifier l’adresse e-mail",
  "verification.footer":
    "Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail.",
  "passwordReset.subject": "Réinitialisez votre mot de passe pour {app}",
  "passwordReset.lead":
    "Quelqu’un, probablement vous, a demandé à définir un nouveau mot de passe pour votre compte {app}.",
  "passwordReset.action": "Choisir un nouveau mot de passe",
  "passwordReset.footer":
    "Si ce n’était pas vous, vous pouvez ignorer cet e-mail : votre mot de passe reste inchangé.",
  "userInvitation.subject": "Vous êtes invité(e) à rejoindre {app}",
  "userInvitation.lead":
    "Un compte {app} a été créé pour vous. Choisissez un mot de passe pour vous connecter. Le lien ne fonctionne qu’une seule fois{hasExpiry, select, yes {, jusqu’au {time}} other {}}.",
  "userInvitation.action": "Choisir un mot de passe",
  "userInvitation.footer":
    "Si vous n’attendiez pas cet e-mail, vous pouvez l’ignorer : sans mot de passe, personne ne peut se connecter.",
  "accountDeletion.subject": "Confirmez la suppression de votre compte {app}",
  "accountDeletion.lead":
    "Veuillez confirmer que votre compte {app} doit être supprimé. Cette action est irréversible.",
  "accountDeletion.action": "Supprimer mon compte",
  "accountDeletion.footer":
    "Si vous n’êtes pas à l’origine de cette demande, n’ouvrez pas le lien : votre compte sera conservé.",
  "accountLinked.subject": "Un compte {provider} a été associé",
  "accountLinked.lead":
    "Un compte {provider} a été associé à votre compte {app} et permet désormais de s’y connecter.",
  "accountLinked.footer":
    "Si ce n’était pas vous, une autre personne a peut-être accès à votre compte : changez votre mot de passe sur {app} et dissociez le compte {provider}.",
  "claimed.subject": "Des moyens de connexion à {app} ont été supprimés",
  "claimed.lead":
    "Votre adresse e-mail a été confirmée pour votre compte {app}. Elle ne l’était pas auparavant : quelqu’un d’autre a peut-être créé le compte. Ont été supprimés : {ended}. Tous les autres appareils ont été déconnectés et les anciennes clés API ne fonctionnent plus.",
  "claimed.choose":
    "Choisissez un nouveau mot de passe avec ce lien. Il ne fonctionne qu’une seule fois.",
  "claimed.action": "Choisir un nouveau mot de passe",
  "claimed.footer":
    "Si ce n’était pas vous, quelqu’un d’autre peut lire vos e-mails : changez le mot de passe de votre messagerie et contactez l’assistance de {app}.",
  "claimed.password": "le mot de passe",
  "claimed.accounts": "les comptes associés",
  "claimed.passkeys": "les clés d’accès",
  "claimed.secondFactor": "le second facteur",
  "claimed.phoneNumber": "le numéro de téléphone",
  "webhookPaused.subject": "Les événements vers {place} sont suspendus",
  "webhookPaused.lead":
    "Votre webhook {place} échoue depuis le {time}. Il a été suspendu et ne reçoit plus d’événements.",
  "webhookPaused.footer":
    "Les événements qui surviennent entre-temps sont conservés pendant une durée limitée. Dès que le destinataire répond à nouveau, réactivez le webhook sur {app} : les événements en attente seront alors envoyés.",
  "emailChange.subject": "Confirmez votre nouvelle adresse e-mail pour {app}",
  "emailChange.lead":
    "Veuillez confirmer que votre adresse e-mail pour {app} doit être remplacée par {newEmail}.",
  "emailChange.action": "Changer l’adresse e-mail",
  "emailChange.footer":
    "Si vous n’êtes pas à l’origine de cette demande, n’ouvrez pas le lien et changez votre mot de passe.",
  "accountsMerged.subject": "Vos comptes {app} ont été fusionnés",
  "accountsMerged.lead":
    "Un administrateur de {app} a fusionné deux comptes le {time} : {mergedEmail} fait désormais partie de {email}. Connectez-vous dorénavant avec {email}.",
  "accountsMerged.footer":
    "Si l’un des deux comptes n’est pas le vôtre ou si vous n’êtes pas d’accord, contactez l’assistance de {app} avant le {until}. La fusion peut être annulée jusque-là.",
  "accountsSeparated.subject": "La fusion de vos comptes {app} a été annulée",
  "accountsSeparated.lead":
    "Un administrateur de {app} a annulé la fusion de deux comptes le {time} : {email} et {mergedEmail} sont de nouveau des comptes distincts. Connectez-vous à chacun avec sa propre adresse e-mail. Toutes les sessions de {email} ont pris fin.",
  "accountsSeparated.footer":
    "Si vous n’êtes pas d’accord ou si l’un des comptes n’est pas le vôtre, contactez l’assistance de {app}.",
  "emailChanged.subject": "Votre adresse e-mail pour {app} a été modifiée",
  "emailChanged.lead":
    "L’adresse e-mail de votre compte {app} a été remplacée par {newEmail}. Si ce n’était pas vous, vous pouvez annuler ce changement avec ce lien{hasExpiry, select, yes { jusqu’au {time}} other {}}. Tous les appareils seront alors déconnectés et vous choisirez un nouveau mot de passe.",
  "emailChanged.action": "Annuler le changement",
  "emailChanged.footer":
    "Si vous avez vous-même changé l’adresse, n’ouvrez pas le lien : vous n’avez rien à faire.",
  "signInLink.subject": "Votre lien de connexion à {app}",
  "signInLink.lead":
    "Ouvrez ce lien pour vous connecter à {app}. Il expire le {time} et ne fonctionne qu’une seule fois. Personne chez {app} ne vous demandera ce lien. Ne le communiquez à personne.",
  "signInLink.action": "Se connecter",
  "signInLink.footer":
    "Si vous n’êtes pas à l’origine de cette demande, n’ouvrez pas le lien et ignorez cet e-mail : sans le lien, personne ne peut se connecter.",
  "invitation.subject":
    "Rejoignez {hasOrganization, select, yes {{organization}} other {une organisation}} sur {app}",
  "invitation.lead":
    "{inviter} vous invite à rejoindre {hasOrganization, select, yes {{organization}} other {une organisation}} sur {app}. L’invitation expire le {time}.",
  "invitation.action": "Accepter l’invitation",
  "invitation.footer":
    "Si vous ne connaissez pas cette personne, vous pouvez ignorer cet e-mail : rien ne se passera sans vous.",
  "twoFactorCode.subject": "Confirmez votre identité sur {app}",
  "twoFactorCode.lead":
    "Saisissez ce code sur {app} pour confirmer que c’est bien vous. Il s’agit du second facteur de votre compte.",
  "twoFactorCode.footer":
    "Si vous n’êtes pas à l’origine de cette demande, une autre personne connaît peut-être votre mot de passe : changez votre mot de passe sur {app}.",
  "emailCode.signIn.subject": "Votre code de connexion à {app}",
  "emailCode.signIn.lead": "Saisissez ce code pour vous connecter à {app}.",
  "emailCode.signIn.footer":
    "Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail : sans le code, personne ne peut se connecter.",
  "emailCode.verification.subject": "Vérifiez votre adresse e-mail pour {app}",
  "emailCode.verification.lead":
    "Saisissez ce code pour confirmer que cette adresse e-mail est bien la vôtre pour {app}.",
  "emailCode.verification.footer":
    "Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail.",
  "emailCode.password.subject": "Réinitialisez votre mot de passe pour {app}",
  "emailCode.password.lead":
    "Saisissez ce code pour définir un nouveau mot de passe pour votre compte {app}.",
  "emailCode.password.footer":
    "Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail : votre mot de passe reste inchangé.",
  "emailCode.change.subject": "Confirmez votre nouvelle adresse e-mail pour {app}",
  "emailCode.change.lead":
    "Saisissez ce code pour utiliser désormais cette adresse e-mail avec votre compte {app}.",
  "emailCode.change.footer":
    "Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail : sans le code, rien ne change.",
  "twoFactorEnabled.subject": "Votre second facteur sur {app} a été activé",
  "twoFactorEnabled.lead":
    "Le second facteur de votre compte {app} a été activé. Un code est désormais nécessaire pour se connecter.",
  "twoFactorEnabled.footer":
    "Si ce n’était pas vous, une autre personne a accès à votre compte : changez votre mot de passe sur {app} et contactez l’assistance.",
  "twoFactorDisabled.subject": "Votre second facteur sur {app} a été désactivé",
  "twoFactorDisabled.lead":
    "Le second facteur de votre compte {app} a été désactivé. Aucun code n’est plus nécessaire pour se connecter.",
  "twoFactorDisabled.footer":
    "Si ce n’était pas vous, une autre personne a accès à votre compte : changez votre mot de passe sur {app} et réactivez le second facteur.",
  "twoFactorReset.subject": "Votre second facteur sur {app} a été supprimé",
  "twoFactorReset.lead":
    "Un administrateur de {app} a supprimé le second facteur de votre compte. Tous les appareils ont été déconnectés.",
  "twoFactorReset.footer":
    "Connectez-vous à {app} et configurez de nouveau un second facteur. Si vous n’êtes pas à l’origine de cette demande, changez votre mot de passe et contactez l’assistance de {app}.",
  "twoFactorLocked.subject": "Votre second facteur sur {app} est verrouillé",
  "twoFactorLocked.lead":
    "Trop de codes erronés ont été saisis pour le second facteur de votre compte {app}. Il est verrouillé jusqu’au {time}.",
  "twoFactorLocked.footer":
    "Si ce n’était pas vous, une autre personne connaît peut-être votre mot de passe : changez votre mot de passe sur {app}. Un code erroné ne permet à personne de se connecter.",
  "twoFactorRequired.subject": "Configurez un second facteur pour {app}",
  "twoFactorRequired.lead":
    "Votre compte {app} devra avoir un second facteur à partir du {time}. Configurez-le avant cette date, sinon vous devrez le faire lors de votre prochaine connexion.",
  "twoFactorRequired.footer":
    "Ouvrez {app} comme d’habitude : cet e-mail ne contient aucun lien et personne chez {app} ne vous demandera de code.",
  "backupCodeUsed.subject": "Un code de secours a été utilisé sur {app}",
  "backupCodeUsed.lead":
    "Un code de secours de votre compte {app} a été utilisé. {codesLeft, plural, =0 {Il ne reste aucun code de secours} one {Il reste # code de secours} other {Il reste # codes de secours}}.",
  "backupCodeUsed.footer":
    "Si ce n’était pas vous, une autre personne possède vos codes de secours : changez votre mot de passe sur {app} et créez de nouveaux codes de secours.",
  "backupCodesGenerated.subject": "De nouveaux codes de secours ont été créés sur {app}",
  "backupCodesGenerated.lead":
    "De nouveaux codes de secours ont été créés pour votre compte {app}. Les précédents ne sont plus valables.",
  "backupCodesGenerated.footer":
    "Si ce n’était pas vous, une autre personne a accès à votre compte : changez votre mot de passe sur {app} et créez de nouveaux codes de secours.",
  "passkeyAdded.subject": "Une clé d’accès a été ajoutée à votre compte {app}",
  "passkeyAdded.lead":
    "{hasLabel, select, yes {La clé d’accès « {label} »} other {Une clé d’accès}} a été ajoutée à votre compte {app} depuis {origin}. Elle permet désormais de s’y connecter.",
  "passkeyAdded.footer":
    "Si ce n’était pas vous, une autre personne a accès à votre compte : supprimez la clé d’accès sur {app} et changez votre mot de passe.",
  "passwordCompromised.subject": "Choisissez un nouveau mot de passe pour {app}",
  "passwordCompromised.lead":
    "Vous vous êtes connecté à {app} avec un mot de passe connu à la suite de fuites d’autres sites. D’autres personnes pourraient l’essayer : choisissez-en un autre dans votre compte.",
  "passwordCompromised.footer":
    "Il n’y a pas d’autre problème : personne chez {app} ne connaît votre mot de passe, et cet e-mail ne contient volontairement aucun lien. Changez-le aussi partout ailleurs où vous l’utilisez.",
  "browserAdded.subject": "Nouvelle connexion à {app}",
  "browserAdded.lead":
    "Quelqu’un s’est connecté à votre compte {app} ({origin}). Vous ne vous y étiez jamais connecté.",
  "browserAdded.footer":
    "Si c’était vous, il n’y a rien à faire. Sinon, changez votre mot de passe sur {app} et mettez fin à la session.",
  "apiKeyAdded.subject": "Une clé API a été créée sur {app}",
  "apiKeyAdded.lead":
    "{hasLabel, select, yes {La clé API « {label} »} other {Une clé API}} a été créée sur {app} {owner, select, organization {pour une organisation} other {pour votre compte}} ({creator, select, admin {par l’administration} other {{origin}}}). {opensSessions, select, yes {Un programme qui possède cette clé peut agir en votre nom.} other {Supprimez les clés dont personne n’a plus besoin.}}",
  "apiKeyAdded.footer":
    "Si vous ne vous y attendiez pas, une autre personne a peut-être accès à votre compte : supprimez la clé sur {app} et changez votre mot de passe.",
  "passkeyRemoved.subject": "Une clé d’accès a été supprimée de votre compte {app}",
  "passkeyRemoved.lead":
    "{hasLabel, select, yes {La clé d’accès « {label} »} other {Une clé d’accès}} a été supprimée de votre compte {app}. Elle ne permet plus de s’y connecter.",
  "passkeyRemoved.footer":
    "Si vous n’êtes pas à l’origine de cette action, une autre personne a peut-être accès à votre compte : changez votre mot de passe sur {app} et vérifiez vos clés d’accès.",
  "phoneCode.subject": "Code pour {app}",
  "phoneCode.phone-number": "Votre code pour {app} est {code}. Ne le communiquez à personne.",
  "phoneCode.phone-password-reset":
    "Votre code pour choisir un nouveau mot de passe sur {app} est {code}. Ne le communiquez à personne.",
  "phoneNumberChanged.subject": "Le numéro de téléphone de votre compte {app} a été modifié",
  "phoneNumberChanged.lead":
    "{change, select, added {Un numéro de téléphone a été défini pour votre compte {app}. Il permet désormais de s’y connecter.} removed {Le numéro de téléphone de votre compte {app} a été supprimé. Il ne permet plus de s’y connecter.} other {Une autre personne a prouvé qu’elle reçoit les SMS envoyés au numéro de téléphone de votre compte {app}. Vous ne l’aviez pas utilisé depuis longtemps : il a donc été supprimé de votre compte.}}",
  "phoneNumberChanged.footer":
    "Si vous ne vous y attendiez pas, une autre personne a peut-être accès à votre compte : vérifiez votre numéro de téléphone sur {app} et changez votre mot de passe.",
  "passkeyRefused.subject": "Une connexion par clé d’accès à {app} a été refusée",
  "passkeyRefused.lead":
    "Une connexion à votre compte {app} a été refusée, car {hasLabel, select, yes {la clé d’accès « {label} »} other {la clé d’accès}} a peut-être été copiée.",
  "passkeyRefused.footer":
    "Supprimez cette clé d’accès sur {app} et ajoutez-en une nouvelle. Si cette connexion ne venait pas de vous, une autre personne possède peut-être une copie de la clé d’accès.",
};

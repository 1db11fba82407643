import type { adminLists as English } from "../en/admin-lists.ts";
import type { Translated } from "../message.ts";

/** The French texts of lists of the admin web, and of its users, by namespace. */
export const adminLists: Translated<typeof English> = {
  faults: {
    tooLong: "Utilisez au plus {max} caractères.",
    json: "Saisissez un objet JSON, par exemple {example}.",
    enterName: "Saisissez un nom.",
    enterSlug: "Saisissez un nom court.",
    email: "Saisissez une adresse e-mail comme name@example.com.",
    chooseUser: "Choisissez un utilisateur.",
  },
  bulk: {
    failures: "Ce qui a échoué",
    retry: "Relancer les échecs",
    title: "{action} : {rows}",
    progress: "{done} sur {total} traités",
    failed: ", {count} en échec",
    notStarted: ", le reste n’a pas commencé",
    question: "{action} : {rows} ?",
    form: "{action} : {rows}",
    typedDelete: "supprimer",
  },
  table: {
    showFitting: "Afficher ce qui tient",
    columns: "Colonnes",
    emptyPage: "Aucune ligne sur cette page",
    firstPage: "Première page",
    emptyPageText: "Elles ont été supprimées ou sont sur une autre page.",
    clearSearch: "Effacer la recherche",
    noResultsText: "Modifiez la recherche ou les filtres.",
    selectRow: "Sélectionner {name}",
    selectPage: "Sélectionner cette page seulement",
    selectAllRows: "Tout sélectionner sur cette page : {rows}",
    selectFirst: "Sélectionner les premiers : {rows}",
    selectAll: "Tout sélectionner : {rows}",
    selected: ", {count} sélectionnés",
  },
  exports: {
    action: "Exporter",
    format: "Format",
    title: "Exporter : {rows}",
    text: "Le fichier contient tout ce qui correspond à la recherche et aux filtres actuels ({rows}), dans cet ordre, au format CSV. Il s’ouvre dans n’importe quel tableur.",
    soFar: "{rows} jusqu’ici…",
    done: "Export terminé : {rows}.",
    cut: "Un fichier contient au plus {rows}. Filtrez la liste pour exporter le reste.",
  },
  pickers: {
    nameOrId: "Nom ou identifiant",
    id: "Identifiant {id}",
    searching: "Recherche…",
    hint: "Adresse e-mail, nom ou identifiant",
    failed: "La recherche a échoué. Modifiez le texte pour réessayer.",
    organization: "{name} (organisation)",
    showAllUsers: "{rows} de {name} : afficher tous les utilisateurs",
    showAllOrganizations: "{rows} de {name} : afficher toutes les organisations",
  },
  durations: {
    hours: "{count, plural, one {# heure} other {# heures}}",
    days: "{count, plural, one {# jour} other {# jours}}",
    minutes: "{count, plural, one {# minute} other {# minutes}}",
    seconds: "{count, plural, one {# seconde} other {# secondes}}",
    milliseconds: "{count, plural, one {# milliseconde} other {# millisecondes}}",
  },
  roles: {
    chooseOne: "Choisissez au moins un rôle.",
    changed: "Rôles de {email} : {roles}.",
    change: "Modifier les rôles",
    any: "Tous les rôles",
  },
  ban: {
    laterDay: "Choisissez aujourd’hui ou un jour ultérieur.",
    reasonHint: "Conservé avec l’utilisateur et dans le journal d’audit.",
    duration: "Durée",
    usual: "Par défaut",
    year: "1 an",
    until: "Jusqu’à une date",
  },
  fields: {
    notSet: "Non défini",
    inUtc: "En UTC.",
    valuePerLine: "Une valeur par ligne.",
    numberPerLine: "Un nombre par ligne.",
    enterNumberPerLine: "Saisissez un nombre par ligne.",
    enterDate: "Saisissez une date et une heure.",
    enterValue: "Saisissez une valeur.",
    enterNumber: "Saisissez un nombre.",
  },
  users: {
    password: {
      hint: "Transmettez-le à l’utilisateur. Il ne sera plus affiché.",
      generate: "Générer",
      copy: "Copier le mot de passe",
      enter: "Saisissez ou générez un mot de passe.",
    },
    deleted: "Utilisateur supprimé",
    theDeleted: "l’utilisateur supprimé",
    thisUser: "cet utilisateur",
    states: {
      banned: "Bloqué",
      unverified: "Non vérifié",
      active: "Actif",
    },
    create: {
      title: "Créer un utilisateur",
      done: "{email} : compte créé.",
      verification: "Vérification de l’adresse e-mail",
      text: "Vous choisissez un mot de passe et le transmettez. Pour que l’utilisateur en choisisse un, invitez-le.",
    },
    invite: {
      title: "Inviter un utilisateur",
      done: "Invitation envoyée à {email}.",
      action: "Envoyer l’invitation",
      text: "L’utilisateur reçoit un e-mail avec un lien pour choisir un mot de passe. Le lien vérifie aussi son adresse e-mail.",
    },
    canSignIn: "Peut se connecter",
    signsInWith: "Se connecte avec",
    lastSignIn: "Dernière connexion",
    signedUp: "Inscription",
    bulk: {
      unban: "Débloquer",
      ban: "Bloquer",
      banText:
        "Les utilisateurs sont déconnectés partout et ne peuvent plus se connecter tant que vous ne les débloquez pas. D’ici là, leurs clés API sont refusées aussi.",
      unbanText:
        "Les utilisateurs peuvent se reconnecter, et leurs clés API fonctionnent à nouveau.",
      signOutText:
        "Toutes les sessions des utilisateurs prennent fin sur chaque appareil. Ils peuvent se reconnecter. Leurs clés API continuent de fonctionner.",
      deleteText:
        "Les utilisateurs sont supprimés définitivement avec leurs sessions, comptes et clés API. Cette action est irréversible.",
    },
    showAllOf: "Tout afficher : {title}",
    emailStates: {
      verified: "Vérifié",
      unverified: "Non vérifié",
    },
    views: {
      save: "Enregistrer la vue",
      text: "La recherche, les filtres et l’ordre actuels reçoivent un lien dans la navigation de ce navigateur.",
      remove: "Retirer la vue",
    },
    filters: {
      anyState: "Tous les états",
      notBanned: "Non bloqué",
      anyEmail: "Toutes les adresses",
      anyFactor: "Tous les facteurs",
      withFactor: "Avec second facteur",
      withoutFactor: "Sans second facteur",
      anyTime: "Toutes les dates",
      today: "Aujourd’hui",
      anyMethod: "Toutes les méthodes",
      clear: "Effacer les filtres",
    },
    open: "Ouvrir l’utilisateur",
    notInList: "La liste de cette page ne montre pas cet utilisateur.",
    method: "Méthode",
    search: "Rechercher des utilisateurs",
    searchHintWithUsername: "Nom, e-mail, nom d’utilisateur, identifiant ou IP",
    searchHint: "Nom, e-mail, identifiant ou adresse IP",
    none: "Aucun utilisateur pour l’instant",
    noneText: "Les utilisateurs apparaissent ici lorsqu’ils s’inscrivent.",
  },
  verification: {
    atOnce: "L’utilisateur peut se connecter immédiatement avec ce mot de passe.",
    ifRequired:
      "Si une adresse e-mail vérifiée est exigée, l’utilisateur ne peut se connecter qu’après l’avoir vérifiée.",
    afterLink:
      "L’utilisateur peut se connecter après avoir ouvert le lien de l’e-mail de vérification.",
    notBefore:
      "L’utilisateur ne peut pas se connecter tant que son adresse e-mail n’est pas vérifiée.",
    passwordsOff:
      "La connexion par mot de passe est désactivée, l’utilisateur ne peut donc pas utiliser ce mot de passe.",
    leave: "Laisser non vérifiée",
    mail: "Envoyer l’e-mail de vérification",
    verified: "Marquer comme vérifiée",
    secondFactor: "La première connexion demande de configurer un second facteur.",
  },
  rows: {
    about: "environ {rows}",
    messages: {
      count: "{count, plural, one {# message en échec} other {# messages en échec}}",
      plural: "messages en échec",
    },
    options: {
      count: "{count, plural, one {# option} other {# options}}",
      plural: "options",
    },
    users: {
      count: "{count, plural, one {# utilisateur} other {# utilisateurs}}",
      plural: "utilisateurs",
    },
    organizations: {
      count: "{count, plural, one {# organisation} other {# organisations}}",
      plural: "organisations",
    },
    keys: {
      count: "{count, plural, one {# clé} other {# clés}}",
      plural: "clés",
    },
    members: {
      count: "{count, plural, one {# membre} other {# membres}}",
      plural: "membres",
    },
    entries: {
      count: "{count, plural, one {# entrée} other {# entrées}}",
      plural: "entrées",
    },
    events: {
      count: "{count, plural, one {# événement} other {# événements}}",
      plural: "événements",
    },
    webhooks: {
      count: "{count, plural, one {# webhook} other {# webhooks}}",
      plural: "webhooks",
    },
    deliveries: {
      count: "{count, plural, one {# livraison} other {# livraisons}}",
      plural: "livraisons",
    },
    emails: {
      count: "{count, plural, one {# e-mail} other {# e-mails}}",
      plural: "e-mails",
    },
  },
};

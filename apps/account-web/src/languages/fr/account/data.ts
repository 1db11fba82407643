import type { Translation } from "../../messages.ts";

export const data: Translation<"account", "data"> = {
  title: "Vos données",
  lead: "Les informations enregistrées à votre sujet et comment les supprimer.",
  export: {
    title: "Télécharger vos données",
    text: "Un fichier avec votre profil, vos méthodes de connexion, vos sessions, vos clés et vos organisations.",
    action: "Télécharger les données",
    fileName: "{{name}} données",
  },
  delete: {
    title: "Supprimer le compte",
    text: "Votre compte et tout son contenu seront supprimés. Cette action est irréversible.",
    action: "Supprimer le compte",
    confirmTitle: "Supprimer votre compte ?",
    mailedTitle: "Consultez votre boîte de réception",
    mailedText: "Nous avons envoyé un lien à {{email}}. Ouvrez-le pour supprimer votre compte.",
    done: "Terminé",
  },
};

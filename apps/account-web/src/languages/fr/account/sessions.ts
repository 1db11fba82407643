import type { Translation } from "../../messages.ts";

export const sessions: Translation<"account", "sessions"> = {
  title: "Sessions",
  lead: "Les navigateurs et appareils sur lesquels vous êtes connecté.",
  list: "Sessions actives",
  device: "{{browser}} sur {{system}}",
  unknownDevice: "Appareil inconnu",
  current: "Cette session",
  address: "Adresse IP {{address}}",
  started: "Connexion",
  lastActive: "Dernière activité",
  expires: "Fin",
  end: "Mettre fin à la session",
  endOf: "Mettre fin à la session de {{device}}",
  ended: "Session terminée.",
  endOthers: "Mettre fin à toutes les autres",
  endOthersTitle: "Mettre fin à toutes les autres sessions ?",
  endOthersText: "Vous restez connecté ici et serez déconnecté partout ailleurs.",
  othersEnded: "Toutes les autres sessions sont terminées.",
};

import type { Translation } from "../../messages.ts";

export const sessions: Translation<"account", "sessions"> = {
  title: "Sesiones",
  lead: "Los navegadores y dispositivos en los que ha iniciado sesión.",
  list: "Sesiones activas",
  device: "{{browser}} en {{system}}",
  unknownDevice: "Dispositivo desconocido",
  current: "Esta sesión",
  address: "Dirección IP {{address}}",
  started: "Inicio de sesión",
  lastActive: "Última actividad",
  expires: "Termina",
  end: "Cerrar sesión",
  endOf: "Cerrar la sesión de {{device}}",
  ended: "Sesión cerrada.",
  endOthers: "Cerrar todas las demás",
  endOthersTitle: "¿Cerrar todas las demás sesiones?",
  endOthersText: "Aquí su sesión seguirá abierta y se cerrará en todos los demás sitios.",
  othersEnded: "Se han cerrado todas las demás sesiones.",
};

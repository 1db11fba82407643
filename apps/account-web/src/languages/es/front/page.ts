import type { Translation } from "../../messages.ts";

export const page: Translation<"front", "page"> = {
  language: "Idioma",
  terms: "Condiciones del servicio",
  privacy: "Privacidad",
  support: "Asistencia",
  or: "o",
  back: "Atrás",
  cancel: "Cancelar",
  retry: "Reintentar",
  continue: "Continuar",
  goToApplication: "Ir a {{name}}",
  loading: "Cargando",
  offline: "No tiene conexión. Esta página continuará cuando se restablezca.",
  showPassword: "Mostrar contraseña",
  hidePassword: "Ocultar contraseña",
};

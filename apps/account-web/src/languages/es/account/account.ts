import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  navigation: "Su cuenta",
  menu: "Menú",
  skip: "Ir al contenido",
  signOut: "Cerrar sesión",
  close: "Cerrar",
  dismiss: "Descartar",
  copied: "Copiado",
  copyFailed: "El navegador ha bloqueado la copia. Cópielo manualmente.",
  secret: {
    keep: "Cópielo ahora y guárdelo en un lugar seguro. No se podrá volver a mostrar.",
    lost: "No lo ha copiado. No se podrá volver a mostrar. Cierre otra vez para descartarlo.",
    copy: "Copiar",
    done: "Listo",
  },
  yourPassword: "Su contraseña",
  screens: {
    profile: "Perfil",
    security: "Seguridad",
    sessions: "Sesiones",
    apiKeys: "Claves de API",
    organizations: "Organizaciones",
    data: "Sus datos",
  },
  theme: { label: "Tema", system: "Tema del sistema", light: "Claro", dark: "Oscuro" },
  stepUp: {
    title: "Confirme que es usted",
    text: "Este cambio requiere un inicio de sesión reciente.",
    passkey: "Usar una llave de acceso",
    noPassword:
      "¿No tiene contraseña? Cierre la sesión y vuelva a iniciarla. Volverá a esta página.",
  },
};

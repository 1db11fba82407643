import type { Translation } from "../../messages.ts";

export const data: Translation<"account", "data"> = {
  title: "Sus datos",
  lead: "Qué se guarda sobre usted y cómo eliminarlo.",
  export: {
    title: "Descargar sus datos",
    text: "Un archivo con su perfil, métodos de inicio de sesión, sesiones, claves y organizaciones.",
    action: "Descargar datos",
    fileName: "{{name}} datos",
  },
  delete: {
    title: "Eliminar cuenta",
    text: "Se eliminarán su cuenta y todo su contenido. Esta acción no se puede deshacer.",
    action: "Eliminar cuenta",
    confirmTitle: "¿Eliminar su cuenta?",
    mailedTitle: "Revise su bandeja de entrada",
    mailedText: "Hemos enviado un enlace a {{email}}. Ábralo para eliminar su cuenta.",
    done: "Listo",
  },
};

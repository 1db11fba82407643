import type { Translation } from "../../messages.ts";

export const captcha: Translation<"front", "captcha"> = {
  title: "Confirme que es una persona",
  failed:
    "No se pudo cargar el captcha. Compruebe su conexión, desactive los bloqueadores de contenido en esta página e inténtelo de nuevo.",
};

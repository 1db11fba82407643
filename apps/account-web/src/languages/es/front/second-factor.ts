import type { Translation } from "../../messages.ts";

export const secondFactor: Translation<"front", "secondFactor"> = {
  title: "Confirme que es usted",
  app: {
    label: "Código de autenticación",
    hint: "Introduzca el código de su aplicación de autenticación.",
    use: "Usar su aplicación de autenticación",
  },
  mail: {
    label: "Código del correo electrónico",
    hint: "Le enviaremos un código por correo electrónico. Es válido durante unos minutos.",
    use: "Usar un código por correo electrónico",
    send: "Enviar un código por correo electrónico",
    sent: "Hay un código en camino a su bandeja de entrada.",
    resend: "Enviar otro código",
  },
  backup: {
    label: "Código de respaldo",
    hint: "Introduzca uno de los códigos de respaldo que guardó. Cada uno solo funciona una vez.",
    use: "Usar un código de respaldo",
  },
  trust: "Confiar en este navegador",
  submit: "Confirmar",
  expired: "Este inicio de sesión ha caducado. Vuelva a iniciar sesión.",
  tooMany: "Demasiados códigos incorrectos. Vuelva a iniciar sesión.",
  enrolment: {
    title: "Configurar un segundo factor",
    text: "Su cuenta requiere un segundo factor. Configure una aplicación de autenticación para continuar.",
    action: "Configurar una aplicación",
  },
};

import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Su cuenta",
  signedInAs: "Ha iniciado sesión como {{email}}.",
  you: {
    title: "Perfil",
    text: "Los demás ven su nombre cuando trabajan juntos.",
    name: "Nombre",
    image: "Imagen",
    imageHint: "La dirección de una imagen, por ejemplo https://example.com/me.png.",
    imageFault: "Introduzca una dirección que empiece por https://.",
    username: "Nombre de usuario",
    save: "Guardar",
    saved: "Perfil guardado.",
  },
  email: {
    title: "Correo electrónico",
    verified: "Verificado",
    unverified: "Sin verificar",
    resend: "Reenviar verificación",
    resent: "Hemos enviado un enlace a {{email}}.",
    change: "Cambiar correo electrónico",
    newEmail: "Nuevo correo electrónico",
    enterEmail: "Introduzca un correo electrónico como name@example.com.",
    confirmText:
      "Enviaremos un enlace a su correo electrónico actual. Ábralo para confirmar el cambio.",
    atOnceText: "Enviaremos al nuevo correo electrónico un enlace para verificarlo.",
    changed: "Correo electrónico cambiado. Abra el enlace que le hemos enviado allí.",
    send: "Enviar enlace",
    requested: "Hay un enlace en camino a su correo electrónico actual.",
  },
};

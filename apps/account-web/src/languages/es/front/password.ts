import type { Translation } from "../../messages.ts";

export const password: Translation<"front", "password"> = {
  newPassword: "Nueva contraseña",
  hint_one: "Al menos {{count}} carácter.",
  hint_other: "Al menos {{count}} caracteres.",
  tooShort_one: "Use al menos {{count}} carácter.",
  tooShort_other: "Use al menos {{count}} caracteres.",
  tooLong: "Elija una contraseña más corta.",
  backToSignIn: "Volver al inicio de sesión",
  forgot: {
    title: "Restablezca su contraseña",
    text: "Introduzca su correo electrónico. Le enviaremos un enlace para elegir una nueva contraseña.",
    submit: "Enviar enlace",
  },
  sent: {
    title: "Revise su bandeja de entrada",
    text: "Si {{email}} tiene una cuenta aquí, hay un enlace en camino. Solo funciona una vez y durante poco tiempo.",
  },
  reset: { title: "Elija una nueva contraseña", submit: "Guardar contraseña" },
  changed: {
    title: "Su contraseña ha cambiado",
    text: "Inicie sesión con la nueva contraseña.",
    signIn: "Iniciar sesión",
  },
  linkFailed: {
    title: "Este enlace no ha funcionado",
    text: "Ya se ha usado o ha caducado. Solicite uno nuevo.",
    again: "Solicitar un enlace nuevo",
  },
};

import type { Translation } from "../../messages.ts";

export const signUp: Translation<"front", "signUp"> = {
  title: "Cree su cuenta",
  lead: "para continuar en {{name}}",
  name: "Nombre",
  enterName: "Introduzca su nombre.",
  username: "Nombre de usuario (opcional)",
  submit: "Crear cuenta",
  hasAccount: "¿Ya tiene una cuenta?",
  signIn: "Inicie sesión",
  closed: {
    title: "El registro está cerrado",
    text: "Las cuentas se crean únicamente por invitación.",
  },
  mailed: {
    title: "Revise su bandeja de entrada",
    text: "Hemos enviado un enlace a {{email}}. Ábralo para verificar su correo electrónico y, a continuación, inicie sesión.",
  },
};

import type { Translation } from "../../messages.ts";

export const invitation: Translation<"front", "invitation"> = {
  title: "Unirse a {{organization}}",
  text: "{{inviter}} le invita con el rol {{role}}.",
  accept: "Aceptar la invitación",
  decline: "Rechazar",
  accepted: "Ahora es miembro de {{organization}}.",
  declined: "Ha rechazado la invitación.",
  signedOut: {
    title: "Ha recibido una invitación",
    text: "Inicie sesión con el correo electrónico que ha recibido la invitación o cree una cuenta con él.",
    signIn: "Iniciar sesión",
    signUp: "Crear cuenta",
  },
  other: {
    title: "Esta invitación es para otro correo electrónico",
    text: "Ha iniciado sesión como {{email}}. Inicie sesión con el correo electrónico que ha recibido la invitación.",
    signOut: "Usar otra cuenta",
  },
  unverified: {
    title: "Verifique primero su correo electrónico",
    text: "Solo el titular de {{email}} puede ver esta invitación. Le enviaremos un enlace que le traerá de vuelta aquí.",
    send: "Enviar enlace",
    sent: "El enlace está en camino. Ábralo en este navegador.",
  },
  gone: {
    title: "Esta invitación ya no es válida",
    text: "Se ha respondido, se ha retirado o ha caducado. Solicite una nueva.",
  },
};

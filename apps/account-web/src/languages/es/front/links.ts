import type { Translation } from "../../messages.ts";

export const links: Translation<"front", "links"> = {
  toSignIn: "Ir al inicio de sesión",
  verifyEmail: {
    title: "Su correo electrónico está verificado",
    text: "Ya puede continuar.",
    failed:
      "Ya se ha usado o ha caducado. Si su correo electrónico aún no está verificado, solicite un enlace nuevo.",
    send: "Enviar un enlace nuevo",
    sent: "Si este correo electrónico aún no está verificado, hay un enlace nuevo en camino.",
  },
  verifyEmailOpen: {
    title: "Verifique su correo electrónico",
    text: "Abra el enlace del mensaje que le hemos enviado o solicite un enlace nuevo.",
  },
  changeEmail: {
    title: "El enlace ha funcionado",
    text: "Si hace falta un segundo mensaje, le hemos enviado su enlace. De lo contrario, su correo electrónico ha cambiado.",
  },
  changeEmailFailed: {
    title: "Su correo electrónico no ha cambiado",
    text: "El enlace ya se ha usado, ha caducado o requiere que haya iniciado sesión. Inicie sesión y vuelva a cambiar su correo electrónico.",
  },
  deleteAccount: {
    title: "Su cuenta se ha eliminado",
    text: "Se han eliminado todos sus datos. Puede cerrar esta página.",
  },
  deleteAccountOpen: {
    title: "Aquí no se ha eliminado nada",
    text: "Puede eliminar su cuenta en la página de sus datos.",
    action: "Ir a sus datos",
  },
  deleteAccountFailed: {
    title: "Su cuenta no se ha eliminado",
    text: "El enlace ya se ha usado, ha caducado o requiere que haya iniciado sesión. Inicie sesión y vuelva a eliminar su cuenta.",
  },
  done: {
    title: "No tiene que hacer nada más aquí",
    text: "Si ha llegado aquí mediante el enlace de un mensaje, ha funcionado.",
  },
  returned: {
    title: "Ha iniciado sesión",
    text: "La aplicación le ha devuelto a esta página. Vuelva a la aplicación o cierre esta página.",
  },
  failures: {
    link: {
      title: "Este enlace no ha funcionado",
      text: "Ya se ha usado o ha caducado. Solicite uno nuevo en la página de inicio de sesión.",
    },
    cancelled: {
      title: "Se ha cancelado el inicio de sesión",
      text: "No ha cambiado nada. Vuelva a intentarlo o inicie sesión con otro método.",
    },
    notLinked: {
      title: "Esta cuenta no está vinculada",
      text: "Ya existe una cuenta con este correo electrónico. Inicie sesión en ella con otro método y, a continuación, vincule este proveedor.",
    },
    noAccount: {
      title: "Aún no tiene una cuenta",
      text: "Este método no crea cuentas. Inicie sesión con otro método o solicite una invitación.",
    },
    blocked: {
      title: "Esta cuenta está bloqueada",
      text: "No puede iniciar sesión. Póngase en contacto con el servicio de asistencia si cree que se trata de un error.",
    },
    noEmail: {
      title: "El proveedor no ha compartido su correo electrónico",
      text: "Permítale compartir su correo electrónico y vuelva a intentarlo, o inicie sesión de otra forma.",
    },
    unverified: {
      title: "Verifique primero su correo electrónico",
      text: "Abra el enlace del mensaje que le hemos enviado y, a continuación, inicie sesión.",
    },
    address: {
      title: "No podemos llevarle de vuelta",
      text: "La página que le ha enviado aquí ha indicado una dirección no permitida.",
    },
    other: {
      title: "No se ha podido iniciar sesión",
      text: "Vuelva a intentarlo. Si el problema continúa, inicie sesión con otro método o póngase en contacto con el servicio de asistencia.",
    },
  },
};

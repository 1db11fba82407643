import type { pages as english } from "../en/pages.ts";
import type { Translated } from "../message.ts";

/** The Spanish texts of the pages of mailed links. Readers are addressed as "usted". */
export const pages: Translated<typeof english> = {
  ignore: "Si no ha solicitado esto, cierre esta página: no ha cambiado nada.",
  change: {
    title: "Confirme su nuevo correo electrónico",
    text: "Su cuenta de {app} usará {newEmail} en lugar de {email}.",
    button: "Cambiar el correo electrónico",
  },
  delete: {
    title: "Eliminar su cuenta",
    text: "Su cuenta {email} de {app} se eliminará de forma permanente.",
    button: "Eliminar la cuenta",
  },
  signIn: {
    title: "Iniciar sesión en {app}",
    text: "Este navegador iniciará sesión en la cuenta de {email} en {app}.",
    button: "Iniciar sesión",
  },
  signInClaim: {
    title: "Iniciar sesión en {app}",
    text: "{email} nunca se confirmó para esta cuenta de {app}. Es posible que otra persona la haya creado. Al iniciar sesión con este enlace se eliminan:",
    password: "la contraseña",
    accounts: "las cuentas vinculadas",
    passkeys: "las claves de acceso",
    secondFactor: "el segundo factor",
    phoneNumber: "el número de teléfono",
    rest: "Se cerrará la sesión en todos los demás dispositivos y las claves de API dejarán de funcionar.",
    choose: "Después elegirá una contraseña nueva mediante otro mensaje.",
    instead:
      "¿La cuenta es suya y conoce la contraseña? Inicie sesión con ella y confirme el correo electrónico en su perfil. Entonces no se eliminará nada.",
    toSignIn: "Iniciar sesión con la contraseña",
    button: "Eliminar e iniciar sesión",
  },
  signInElsewhere: {
    title: "Abra este enlace en el otro navegador",
    text: "Este enlace inicia sesión en la cuenta de {email} en {app}. Solo funciona en el navegador en el que lo solicitó.",
  },
  undo: {
    title: "Deshacer el cambio de correo electrónico",
    text: "Su cuenta de {app} volverá a usar {email} en lugar de {newEmail}. Se cerrará la sesión en todos los dispositivos y elegirá una contraseña nueva.",
    button: "Deshacer el cambio",
  },
  verify: {
    title: "Verifique su correo electrónico",
    text: "Se verificará {email} para una cuenta de {app}.",
    button: "Verificar el correo electrónico",
  },
  verifyAndSignIn: {
    title: "Verifique su correo electrónico",
    text: "Se verificará {email} para una cuenta de {app}. Además, este navegador iniciará sesión en esa cuenta.",
    button: "Verificar e iniciar sesión",
  },
  verified: {
    title: "Su correo electrónico está verificado",
    text: "Puede cerrar esta página.",
  },
  deleted: {
    title: "Su cuenta se ha eliminado",
    text: "Puede cerrar esta página.",
  },
  signedIn: {
    title: "Ha iniciado sesión",
    text: "Puede cerrar esta página.",
  },
  undone: {
    title: "Su correo electrónico vuelve a ser el de antes",
    text: "Se ha cerrado la sesión en todos los dispositivos. Hay en camino un mensaje con un enlace para elegir una contraseña nueva.",
  },
  expired: {
    title: "Este enlace ha caducado",
    text: "Solicite uno nuevo en la aplicación.",
  },
  signedOut: {
    title: "Inicie sesión primero",
    text: "Inicie sesión en su cuenta en este navegador y vuelva a abrir el enlace.",
  },
  notGood: {
    title: "Este enlace no se puede usar",
    text: "Ya se ha usado, se ha sustituido o está incompleto. Solicite uno nuevo en la aplicación.",
  },
};

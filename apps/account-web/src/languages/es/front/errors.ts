import type { Translation } from "../../messages.ts";

export const errors: Translation<"front", "errors"> = {
  network: "El servidor no ha respondido. Compruebe su conexión y vuelva a intentarlo.",
  unreadable: "El servidor ha enviado una respuesta inesperada. Vuelva a intentarlo en un momento.",
  unavailable: "Esto no está disponible en este momento. Vuelva a intentarlo en un momento.",
  failed: "Se ha producido un error. Vuelva a intentarlo.",
  failedWithId:
    "Se ha producido un error. Vuelva a intentarlo. Si el problema continúa, envíe este identificador al servicio de asistencia: {{id}}.",
  refused: "Se ha rechazado la solicitud. Compruebe los datos introducidos y vuelva a intentarlo.",
  forbidden: "No tiene permiso para hacer esto.",
  notFound: "No se ha encontrado. Es posible que se haya eliminado.",
  signedOut: "Su sesión ha terminado. Vuelva a iniciar sesión.",
  wait_one: "Demasiados intentos. Vuelva a intentarlo dentro de {{count}} segundo.",
  wait_other: "Demasiados intentos. Vuelva a intentarlo dentro de {{count}} segundos.",
  waitMinutes_one: "Demasiados intentos. Vuelva a intentarlo dentro de {{count}} minuto.",
  waitMinutes_other: "Demasiados intentos. Vuelva a intentarlo dentro de {{count}} minutos.",
  waitOver: "Ya puede volver a intentarlo.",
  required: "Este campo es obligatorio.",
  passkey:
    "El navegador no ha podido usar una llave de acceso. Vuelva a intentarlo o elija otro método.",
  pages: {
    notFound: {
      title: "Página no encontrada",
      text: "Es posible que la dirección esté mal escrita o que la página se haya movido.",
    },
    failed: { title: "No se ha podido cargar esta página" },
  },
  codes: {
    INVALID_EMAIL_OR_PASSWORD: "El correo electrónico o la contraseña son incorrectos.",
    INVALID_USERNAME_OR_PASSWORD: "El nombre de usuario o la contraseña son incorrectos.",
    INVALID_EMAIL: "Introduzca un correo electrónico como name@example.com.",
    INVALID_PASSWORD: "La contraseña es incorrecta.",
    EMAIL_NOT_VERIFIED:
      "Verifique primero su correo electrónico. Abra el enlace del mensaje que le hemos enviado.",
    BANNED_USER: "Esta cuenta está bloqueada.",
    PASSWORD_TOO_SHORT: "Elija una contraseña más larga.",
    PASSWORD_TOO_LONG: "Elija una contraseña más corta.",
    INVALID_CODE: "Este código es incorrecto. Introduzca el más reciente.",
    INVALID_BACKUP_CODE: "Este código de respaldo es incorrecto o ya se ha usado.",
    OTP_HAS_EXPIRED: "Este código ha caducado. Solicite uno nuevo.",
    OTP_EXPIRED: "Este código ha caducado. Solicite uno nuevo.",
    INVALID_OTP: "Este código es incorrecto. Introduzca el más reciente.",
    TOO_MANY_ATTEMPTS: "Demasiados códigos incorrectos. Solicite uno nuevo.",
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Demasiados códigos incorrectos. Solicite uno nuevo.",
    ACCOUNT_TEMPORARILY_LOCKED: "Demasiados códigos incorrectos. Vuelva a intentarlo más tarde.",
    INVALID_TWO_FACTOR_COOKIE: "Este inicio de sesión ha caducado. Vuelva a iniciar sesión.",
    TWO_FACTOR_REQUIRED: "Su cuenta requiere un segundo factor.",
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER:
      "Este nombre de usuario ya está en uso. Elija otro.",
    USERNAME_IS_TOO_SHORT: "Elija un nombre de usuario más largo.",
    USERNAME_IS_TOO_LONG: "Elija un nombre de usuario más corto.",
    USERNAME_IS_INVALID: "Use solo letras, números, guiones bajos y puntos.",
    USER_ALREADY_EXISTS: "Ya existe una cuenta con este correo electrónico. Inicie sesión.",
    INVALID_TOKEN: "Este enlace ya se ha usado o ha caducado. Solicite uno nuevo.",
    INVALID_CALLBACKURL: "La página que le ha enviado aquí ha indicado una dirección no permitida.",
    MISSING_CAPTCHA_RESPONSE: "Complete primero el captcha.",
    CAPTCHA_VERIFICATION_FAILED: "No se ha aceptado el captcha. Vuelva a intentarlo.",
    SIGNUP_DISABLED: "No hay ninguna cuenta con este correo electrónico.",
    ACCOUNT_NOT_LINKED:
      "Ya existe una cuenta con este correo electrónico. Inicie sesión con otro método y, a continuación, vincule este proveedor.",
    CHALLENGE_NOT_FOUND: "Ha pasado demasiado tiempo. Vuelva a intentarlo.",
    PASSKEY_NOT_FOUND: "Esta llave de acceso no se reconoce aquí. Use otra.",
    AUTHENTICATION_FAILED:
      "No se ha aceptado la llave de acceso. Vuelva a intentarlo o inicie sesión con otro método.",
    SESSION_IS_NOT_FRESH: "Confirme que es usted y vuelva a intentarlo.",
  },
};

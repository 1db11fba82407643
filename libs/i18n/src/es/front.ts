import type { front as english } from "../en/front.ts";
import type { Translated } from "../message.ts";

/** The Spanish texts of the pages for signed-out users. Readers are addressed as "usted". */
export const front: Translated<typeof english> = {
  captcha: {
    title: "Confirme que es una persona",
    failed:
      "No se pudo cargar el captcha. Compruebe su conexión, desactive los bloqueadores de contenido en esta página e inténtelo de nuevo.",
  },
  errors: {
    network: "El servidor no ha respondido. Compruebe su conexión y vuelva a intentarlo.",
    unreadable:
      "El servidor ha enviado una respuesta inesperada. Vuelva a intentarlo en un momento.",
    unavailable: "Esto no está disponible en este momento. Vuelva a intentarlo en un momento.",
    failed: "Se ha producido un error. Vuelva a intentarlo.",
    failedWithId:
      "Se ha producido un error. Vuelva a intentarlo. Si el problema continúa, envíe este identificador al servicio de asistencia: {id}.",
    refused:
      "Se ha rechazado la solicitud. Compruebe los datos introducidos y vuelva a intentarlo.",
    forbidden: "No tiene permiso para hacer esto.",
    notFound: "No se ha encontrado. Es posible que se haya eliminado.",
    signedOut: "Su sesión ha terminado. Vuelva a iniciar sesión.",
    wait: "Demasiados intentos. Vuelva a intentarlo dentro de {count, plural, one {# segundo} other {# segundos}}.",
    waitMinutes:
      "Demasiados intentos. Vuelva a intentarlo dentro de {count, plural, one {# minuto} other {# minutos}}.",
    waitOver: "Ya puede volver a intentarlo.",
    required: "Este campo es obligatorio.",
    passkey:
      "El navegador no ha podido usar una llave de acceso. Vuelva a intentarlo o elija otro método.",
    pages: {
      notFound: {
        title: "Página no encontrada",
        text: "Es posible que la dirección esté mal escrita o que la página se haya movido.",
      },
      failed: {
        title: "No se ha podido cargar esta página",
      },
    },
    codes: {
      INVALID_EMAIL_OR_PASSWORD: "El correo electrónico o la contraseña son incorrectos.",
      INVALID_USERNAME_OR_PASSWORD: "El nombre de usuario o la contraseña son incorrectos.",
      INVALID_EMAIL: "Introduzca un correo electrónico como name@example.com.",
      INVALID_PASSWORD: "La contraseña es incorrecta.",
      EMAIL_NOT_VERIFIED: "Verifique primero su correo electrónico.",
      BANNED_USER: "Esta cuenta está bloqueada.",
      PASSWORD_TOO_SHORT: "Elija una contraseña más larga.",
      PASSWORD_TOO_LONG: "Elija una contraseña más corta.",
      PASSWORD_COMPROMISED: "Esta contraseña se conoce por filtraciones. Elija otra.",
      PASSWORD_CHANGE_REQUIRED:
        "Esta contraseña se conoce por filtraciones. Elija una nueva con el enlace que se envió a su correo.",
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
      TOO_MANY_SESSIONS:
        "Hay demasiadas cuentas con la sesión iniciada en este navegador. Cierra primero la sesión de una de ellas.",
      INVALID_CALLBACKURL:
        "La página que le ha enviado aquí ha indicado una dirección no permitida.",
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
  },
  invitation: {
    title: "Unirse a {organization}",
    text: "{inviter} le invita con el rol {role}.",
    accept: "Aceptar la invitación",
    decline: "Rechazar",
    accepted: "Ahora es miembro de {organization}.",
    declined: "Ha rechazado la invitación.",
    signedOut: {
      text: "Es para {email}. Inicie sesión con ese correo electrónico o cree una cuenta.",
      signIn: "Iniciar sesión y aceptar",
      signUp: "Crear cuenta y aceptar",
    },
    other: {
      title: "Esta invitación es para otro correo electrónico",
      text: "Ha iniciado sesión como {email}. Inicie sesión con el correo electrónico que ha recibido la invitación.",
      signOut: "Usar otra cuenta",
    },
    unverified: {
      title: "Verifique primero su correo electrónico",
      text: "Solo el titular de {email} puede ver esta invitación. Le enviaremos un enlace que le traerá de vuelta aquí.",
      send: "Enviar enlace",
      sent: "El enlace está en camino. Ábralo en este navegador.",
      code: "Solo el titular de {email} puede ver esta invitación. Le enviaremos un código.",
      sendCode: "Enviar código",
    },
    gone: {
      title: "Esta invitación ya no es válida",
      text: "Se ha respondido, se ha retirado o ha caducado. Solicite una nueva.",
    },
  },
  links: {
    toSignIn: "Ir al inicio de sesión",
    verifyEmail: {
      title: "Su correo electrónico está verificado",
      text: "Ya puede continuar.",
      failed:
        "Ya se ha usado o ha caducado. Si su correo electrónico aún no está verificado, solicite un enlace nuevo.",
    },
    verifyEmailOpen: {
      title: "Verifique su correo electrónico",
      text: "Abra el enlace del mensaje que le hemos enviado o solicite un enlace nuevo.",
    },
    changeEmail: {
      title: "El enlace ha funcionado",
      text: "Si el nuevo correo electrónico aún debe confirmar el cambio, le hemos enviado un enlace. Su perfil muestra el correo electrónico en uso.",
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
      otherEmail: {
        title: "La cuenta no se ha conectado",
        text: "Su correo electrónico es distinto del de usted, o el proveedor no lo ha verificado. Conecte una cuenta que tenga su correo electrónico.",
      },
      taken: {
        title: "La cuenta no se ha conectado",
        text: "Está conectada aquí a otra cuenta. Desconéctela primero de ella.",
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
      full: {
        title: "Demasiadas cuentas en este navegador",
        text: "Cierra la sesión de una de ellas y vuelve a iniciar sesión.",
      },
      other: {
        title: "No se ha podido iniciar sesión",
        text: "Vuelva a intentarlo. Si el problema continúa, inicie sesión con otro método o póngase en contacto con el servicio de asistencia.",
      },
    },
  },
  page: {
    language: "Idioma",
    terms: "Condiciones del servicio",
    privacy: "Privacidad",
    support: "Asistencia",
    or: "o",
    back: "Atrás",
    cancel: "Cancelar",
    retry: "Reintentar",
    continue: "Continuar",
    goToApplication: "Ir a {name}",
    loading: "Cargando",
    offline: "No tiene conexión. Esta página continuará cuando se restablezca.",
    showPassword: "Mostrar contraseña",
    hidePassword: "Ocultar contraseña",
    codeHint: "El código se comprueba en cuanto introduce el último dígito.",
  },
  password: {
    newPassword: "Nueva contraseña",
    strength1: "Débil",
    strength2: "Regular",
    strength3: "Buena",
    strength4: "Fuerte",
    hint: "Al menos {count, plural, one {# carácter} other {# caracteres}}.",
    tooShort: "Use al menos {count, plural, one {# carácter} other {# caracteres}}.",
    tooLong: "Elija una contraseña más corta.",
    backToSignIn: "Volver al inicio de sesión",
    forgot: {
      title: "Restablezca su contraseña",
      text: "Introduzca su correo electrónico. Le enviaremos un enlace para elegir una nueva contraseña.",
      submit: "Enviar enlace",
      code: "Introduzca su correo electrónico. Le enviaremos un código para elegir una nueva contraseña.",
      sendCode: "Enviar código",
    },
    sent: {
      title: "Revise su bandeja de entrada",
      text: "Si {email} tiene una cuenta aquí, hay un enlace en camino. Solo funciona una vez y durante poco tiempo.",
      code: "Si {email} tiene una cuenta aquí, hay un código en camino. Introdúzcalo para elegir una nueva contraseña.",
    },
    reset: {
      title: "Elija una nueva contraseña",
      submit: "Guardar contraseña",
      keysStay:
        "Si su correo electrónico aún no estaba confirmado por completo, es posible que se eliminen claves de API. De lo contrario, siguen funcionando.",
      keysEnd:
        "Las claves de API que pueden iniciar sesión en su nombre se eliminan. Si su correo electrónico aún no estaba confirmado por completo, es posible que también se eliminen las demás.",
      claim:
        "Su correo electrónico nunca se confirmó del todo para esta cuenta, así que otra persona pudo haberla creado. La nueva contraseña sustituye a la actual.",
      removes: "Al guardarla también se eliminan:",
    },
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
  },
  secondFactor: {
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
  },
  signIn: {
    manageUsers: "Elegir quién sigue con la sesión iniciada",
    title: "Iniciar sesión en {name}",
    email: "Correo electrónico",
    emailOrUsername: "Correo electrónico o nombre de usuario",
    password: "Contraseña",
    enterEmail: "Introduzca su correo electrónico.",
    enterEmailOrUsername: "Introduzca su correo electrónico o nombre de usuario.",
    enterPassword: "Introduzca su contraseña.",
    submit: "Iniciar sesión",
    forgot: "¿Ha olvidado su contraseña?",
    stay: "Mantener la sesión iniciada",
    noAccount: "¿Aún no tiene una cuenta?",
    signUp: "Regístrese",
    continueWith: "Continuar con {name}",
    otherWays: "Otros métodos",
    lastUsed: "Último método usado",
    mailLink: "Recibir un enlace de inicio de sesión",
    mailCode: "Recibir un código por correo electrónico",
    textCode: "Recibir un código por SMS",
    passkey: "Iniciar sesión con una llave de acceso",
    linkSent: {
      title: "Revise su bandeja de entrada",
      text: "Si {email} puede iniciar sesión aquí, hay un enlace en camino. Ábralo en este navegador.",
      resend: "Enviar otro enlace",
      again: "Hay otro enlace en camino.",
    },
    codeSent: {
      title: "Introduzca el código",
      text: "Si {recipient} puede iniciar sesión aquí, hay un código en camino.",
      code: "Código",
      resend: "Enviar otro código",
      again: "Hay otro código en camino.",
    },
    claim: {
      password: "la contraseña",
      accounts: "las cuentas vinculadas",
      passkeys: "las claves de acceso",
      secondFactor: "el segundo factor",
      phoneNumber: "el número de teléfono",
      rest: "Se cerrará la sesión en todos los demás dispositivos y las claves de API dejarán de funcionar.",
    },
    ended: "Su sesión ha terminado. Vuelva a iniciar sesión para continuar.",
    created: "Su cuenta se ha creado. Inicie sesión para continuar.",
    signedOut: "Ha cerrado la sesión.",
  },
  signUp: {
    title: "Cree su cuenta",
    guest: "Está aquí como invitado. Cree una cuenta o inicie sesión para conservar lo que tiene.",
    lead: "para continuar en {name}",
    name: "Nombre",
    enterName: "Introduzca su nombre.",
    username: "Nombre de usuario (opcional)",
    submit: "Crear cuenta",
    hasAccount: "¿Ya tiene una cuenta?",
    signIn: "Inicie sesión",
    complete: {
      title: "Complete su perfil",
      text: "{name} necesita estos datos para crear su cuenta.",
      again: "{name} necesita esto antes de continuar.",
    },
    closed: {
      title: "El registro está cerrado",
      text: "Las cuentas se crean únicamente por invitación.",
    },
  },
  verification: {
    title: "Verifique su correo electrónico",
    link: "Hemos enviado un enlace a {email}. Ábralo para verificar su correo electrónico y, a continuación, inicie sesión.",
    code: "Hemos enviado un código a {email}. Introdúzcalo para verificar su correo electrónico.",
    either: "Hemos enviado un código y un enlace a {email}. Introduzca el código o abra el enlace.",
    unknown: "Introduzca su correo electrónico y el código que le hemos enviado.",
    linkUnknown: "Abra el enlace que hemos enviado a su correo electrónico o solicite otro.",
    submit: "Verificar el correo electrónico",
    resend: "Enviar de nuevo",
    again: "Si este correo electrónico aún no está verificado, hay otro mensaje en camino.",
    claim:
      "{email} nunca se confirmó para esta cuenta, así que otra persona pudo haberla creado. Al verificarlo con este código se eliminan:",
    remove: "Eliminar y verificar",
  },
};

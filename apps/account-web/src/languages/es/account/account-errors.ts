import type { Translation } from "../../messages.ts";

export const accountErrors: Translation<"account", "accountErrors"> = {
  FAILED_TO_UPDATE_USER: "No se ha podido guardar. Vuelva a intentarlo.",
  FIELD_IS_REQUIRED: "Falta un dato obligatorio.",
  EMAIL_IS_THE_SAME: "Este es su correo electrónico actual.",
  EMAIL_ALREADY_IN_USE: "Este correo electrónico ya está en uso.",
  COULDNT_UPDATE_YOUR_EMAIL: "No se puede usar este correo electrónico. Introduzca otro.",
  CHANGE_EMAIL_IS_DISABLED: "El correo electrónico no se puede cambiar aquí.",
  VERIFICATION_EMAIL_ISNT_ENABLED:
    "Este correo electrónico no se puede verificar aquí. Póngase en contacto con el servicio de asistencia.",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "No tiene contraseña.",
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT:
    "Esta es su última forma de iniciar sesión. Añada primero otra.",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN:
    "Esta es su última forma de iniciar sesión. Añada primero otra.",
  ACCOUNT_NOT_FOUND: "Este proveedor ya no está vinculado.",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "Esta cuenta está vinculada a otro usuario.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS:
    "Ha alcanzado el número máximo de llaves de acceso. Elimine primero una.",
  PREVIOUSLY_REGISTERED: "Este dispositivo ya tiene una llave de acceso para su cuenta.",
  FAILED_TO_VERIFY_REGISTRATION: "No se ha aceptado la llave de acceso. Vuelva a intentarlo.",
  TOTP_ALREADY_ENABLED: "Ya hay una aplicación de autenticación configurada. Desactívela primero.",
  TOTP_NOT_ENABLED: "La configuración ha caducado. Empiece de nuevo.",
  SESSION_NOT_FOUND: "Esta sesión ya ha terminado.",
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN:
    "Usted es el último administrador, por lo que su cuenta no se puede eliminar. Nombre primero a otro administrador.",
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION:
    "Esto requiere un inicio de sesión reciente. Cierre la sesión, vuelva a iniciarla e inténtelo de nuevo.",
  KEY_NOT_FOUND: "Esta clave ya no existe.",
  INVALID_NAME_LENGTH: "Elija un nombre con otra longitud.",
  KEY_DISABLED_EXPIRATION: "Aquí no se puede elegir la caducidad.",
  EXPIRES_IN_IS_TOO_SMALL: "Elija una caducidad posterior.",
  EXPIRES_IN_IS_TOO_LARGE: "Elija una caducidad anterior.",
  KEY_RETIRED: "Esta clave se ha sustituido y no se puede cambiar.",
  ORGANIZATION_ALREADY_EXISTS: "Este nombre corto ya está en uso. Elija otro.",
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: "No tiene permiso para crear organizaciones.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    "Ha alcanzado el número máximo de organizaciones.",
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    "La organización necesita un propietario. Nombre primero propietario a otro miembro.",
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "No puede asignar este rol.",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "Esta persona ya es miembro.",
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "Este correo electrónico ya tiene una invitación.",
  INVITATION_LIMIT_REACHED:
    "Hay demasiadas invitaciones. Cancele una o vuelva a intentarlo más tarde.",
  INVITATION_NOT_FOUND: "Esta invitación ya no es válida.",
  MEMBER_NOT_FOUND: "Esta persona ya no es miembro.",
  TEAM_NOT_FOUND: "Este equipo ya no existe.",
  TEAM_MEMBER_LIMIT_REACHED: "Este equipo está completo.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: "No se puede añadir otro equipo.",
  UNABLE_TO_REMOVE_LAST_TEAM: "No se puede eliminar el último equipo.",
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: "Esta organización está completa.",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    "Verifique primero su correo electrónico. Después podrá responder a las invitaciones.",
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
    "Esta URL no se puede usar. Introduzca una dirección pública que empiece por https://.",
  THE_NUMBER_OF_WEBHOOKS_IS_LIMITED:
    "La organización tiene el número máximo de webhooks. Elimine uno primero.",
  WEBHOOK_NOT_FOUND: "Este webhook ya no existe.",
  WEBHOOK_DELIVERY_NOT_FOUND: "Este envío ya no existe.",
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: "Este envío no ha fallado.",
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION:
    "Su rol no le permite gestionar webhooks.",
  YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS: "Su rol no le permite ver eventos de claves de API.",
};

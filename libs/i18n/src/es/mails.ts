import type { mails as english } from "../en/mails.ts";
import type { Translated } from "../message.ts";

/** The Spanish texts of the mails. Readers are addressed as "usted". */
export const mails: Translated<typeof english> = {
  "greeting.named": "Hola, {name}:",
  "greeting.plain": "Hola:",
  "link.fallback": "Si el botón no funciona, abra esta dirección:",
  "foot.support": "¿Tiene preguntas? Escriba a {address}",
  "foot.terms": "Condiciones del servicio",
  "foot.privacy": "Política de privacidad",
  "code.expiry": "El código caduca el {time} y solo se puede usar una vez.",
  "code.warning": "Nadie de {app} le pedirá este código. No lo comparta con nadie.",
  "browser.onSystem":
    "{browser} en {system, select, iPhone {un iPhone} iPad {un iPad} other {{system}}}",
  "browser.unknown": "un navegador desconocido",
  "browser.atAddress": "{browser}, con la dirección IP {address}",
  "verification.subject": "Verifique su correo electrónico para {app}",
  "verification.lead": "Confirme que esta es su dirección de correo electrónico para {app}.",
  "verification.action": "Verificar correo electrónico",
  "verification.footer": "Si no ha solicitado esto, puede ignorar este mensaje.",
  "passwordReset.subject": "Restablezca su contraseña de {app}",
  "passwordReset.lead":
    "Alguien, probablemente usted, ha solicitado una nueva contraseña para su cuenta de {app}.",
  "passwordReset.action": "Elegir una nueva contraseña",
  "passwordReset.footer":
    "Si no ha sido usted, puede ignorar este mensaje: su contraseña no cambiará.",
  "userInvitation.subject": "Le han invitado a {app}",
  "userInvitation.lead":
    "Se ha creado una cuenta de {app} para usted. Elija una contraseña para iniciar sesión. El enlace solo funciona una vez{hasExpiry, select, yes {, hasta el {time}} other {}}.",
  "userInvitation.action": "Elegir una contraseña",
  "userInvitation.footer":
    "Si no esperaba este mensaje, puede ignorarlo: sin contraseña, nadie puede iniciar sesión.",
  "accountDeletion.subject": "Confirme la eliminación de su cuenta de {app}",
  "accountDeletion.lead":
    "Confirme que desea eliminar su cuenta de {app}. Esta acción no se puede deshacer.",
  "accountDeletion.action": "Eliminar mi cuenta",
  "accountDeletion.footer": "Si no ha solicitado esto, no abra el enlace: su cuenta se conservará.",
  "accountLinked.subject": "Se ha vinculado una cuenta de {provider}",
  "accountLinked.lead":
    "Se ha vinculado una cuenta de {provider} a su cuenta de {app}. A partir de ahora permite iniciar sesión en ella.",
  "accountLinked.footer":
    "Si no ha sido usted, es posible que otra persona tenga acceso a su cuenta: cambie su contraseña en {app} y desvincule la cuenta de {provider}.",
  "claimed.subject": "Se eliminaron formas de iniciar sesión en {app}",
  "claimed.lead":
    "Su correo electrónico se ha confirmado para su cuenta de {app}. Antes no estaba confirmado, así que otra persona pudo haber creado la cuenta. Se eliminaron: {ended}. Se cerró la sesión en todos los demás dispositivos y las claves de API anteriores ya no funcionan.",
  "claimed.choose": "Elija una contraseña nueva con este enlace. Solo funciona una vez.",
  "claimed.action": "Elegir una contraseña nueva",
  "claimed.footer":
    "Si no ha sido usted, otra persona puede leer su correo: cambie la contraseña de su buzón y póngase en contacto con el soporte de {app}.",
  "claimed.password": "la contraseña",
  "claimed.accounts": "las cuentas vinculadas",
  "claimed.passkeys": "las claves de acceso",
  "claimed.secondFactor": "el segundo factor",
  "claimed.phoneNumber": "el número de teléfono",
  "webhookPaused.subject": "Los eventos hacia {place} están en pausa",
  "webhookPaused.lead":
    "Su webhook {place} falla desde el {time}. Se ha puesto en pausa y no recibe más eventos.",
  "webhookPaused.footer":
    "Los eventos que ocurran mientras tanto se conservan durante un tiempo limitado. Cuando el receptor vuelva a responder, reanude el webhook en {app}: entonces se enviarán los eventos en espera.",
  "emailChange.subject": "Confirme su nuevo correo electrónico para {app}",
  "emailChange.lead":
    "Confirme que su dirección de correo electrónico para {app} debe cambiarse a {newEmail}.",
  "emailChange.action": "Cambiar correo electrónico",
  "emailChange.footer": "Si no ha solicitado esto, no abra el enlace y cambie su contraseña.",
  "accountsMerged.subject": "Sus cuentas de {app} se han fusionado",
  "accountsMerged.lead":
    "La administración de {app} fusionó dos cuentas el {time}: {mergedEmail} ahora forma parte de {email}. A partir de ahora, inicie sesión con {email}.",
  "accountsMerged.footer":
    "Si alguna de las dos cuentas no es suya o no está de acuerdo, póngase en contacto con el servicio de asistencia de {app} antes del {until}. Hasta entonces, la fusión se puede deshacer.",
  "accountsSeparated.subject": "Se ha deshecho la fusión de sus cuentas de {app}",
  "accountsSeparated.lead":
    "La administración de {app} deshizo la fusión de dos cuentas el {time}: {email} y {mergedEmail} vuelven a ser cuentas separadas. Inicie sesión en cada una con su propio correo electrónico. Todas las sesiones de {email} han terminado.",
  "accountsSeparated.footer":
    "Si no está de acuerdo o alguna de las cuentas no es suya, póngase en contacto con el servicio de asistencia de {app}.",
  "emailChanged.subject": "Su correo electrónico para {app} ha cambiado",
  "emailChanged.lead":
    "La dirección de correo electrónico de su cuenta de {app} se ha cambiado a {newEmail}. Si no ha sido usted, puede deshacer el cambio con este enlace{hasExpiry, select, yes { hasta el {time}} other {}}. También se cerrará la sesión en todos los dispositivos y podrá elegir una nueva contraseña.",
  "emailChanged.action": "Deshacer el cambio",
  "emailChanged.footer":
    "Si ha cambiado usted la dirección, no abra el enlace: no tiene que hacer nada.",
  "signInLink.subject": "Su enlace para iniciar sesión en {app}",
  "signInLink.lead":
    "Abra este enlace para iniciar sesión en {app}. Caduca el {time} y solo funciona una vez. Nadie de {app} le pedirá este enlace. No lo comparta con nadie.",
  "signInLink.action": "Iniciar sesión",
  "signInLink.footer":
    "Si no ha solicitado esto, no abra el enlace e ignore este mensaje: sin el enlace, nadie puede iniciar sesión.",
  "invitation.subject":
    "Únase a {hasOrganization, select, yes {{organization}} other {una organización}} en {app}",
  "invitation.lead":
    "{inviter} le invita a unirse a {hasOrganization, select, yes {{organization}} other {una organización}} en {app}. La invitación caduca el {time}.",
  "invitation.action": "Aceptar la invitación",
  "invitation.footer":
    "Si no conoce a esta persona, puede ignorar este mensaje: no ocurrirá nada sin usted.",
  "twoFactorCode.subject": "Confirme su identidad en {app}",
  "twoFactorCode.lead":
    "Introduzca este código en {app} para confirmar que es usted. Es el segundo factor de su cuenta.",
  "twoFactorCode.footer":
    "Si no ha solicitado esto, es posible que otra persona conozca su contraseña: cambie su contraseña en {app}.",
  "emailCode.signIn.subject": "Su código para iniciar sesión en {app}",
  "emailCode.signIn.lead": "Introduzca este código para iniciar sesión en {app}.",
  "emailCode.signIn.footer":
    "Si no ha solicitado esto, puede ignorar este mensaje: sin el código, nadie puede iniciar sesión.",
  "emailCode.verification.subject": "Verifique su correo electrónico para {app}",
  "emailCode.verification.lead":
    "Introduzca este código para confirmar que esta es su dirección de correo electrónico para {app}.",
  "emailCode.verification.footer": "Si no ha solicitado esto, puede ignorar este mensaje.",
  "emailCode.password.subject": "Restablezca su contraseña de {app}",
  "emailCode.password.lead":
    "Introduzca este código para establecer una nueva contraseña para su cuenta de {app}.",
  "emailCode.password.footer":
    "Si no ha solicitado esto, puede ignorar este mensaje: su contraseña no cambiará.",
  "emailCode.change.subject": "Confirme su nuevo correo electrónico para {app}",
  "emailCode.change.lead":
    "Introduzca este código para usar a partir de ahora esta dirección de correo electrónico en su cuenta de {app}.",
  "emailCode.change.footer":
    "Si no ha solicitado esto, puede ignorar este mensaje: sin el código, nada cambiará.",
  "twoFactorEnabled.subject": "Se ha activado su segundo factor en {app}",
  "twoFactorEnabled.lead":
    "Se ha activado el segundo factor de su cuenta de {app}. A partir de ahora se necesita un código para iniciar sesión.",
  "twoFactorEnabled.footer":
    "Si no ha sido usted, otra persona tiene acceso a su cuenta: cambie su contraseña en {app} y póngase en contacto con el servicio de asistencia.",
  "twoFactorDisabled.subject": "Se ha desactivado su segundo factor en {app}",
  "twoFactorDisabled.lead":
    "Se ha desactivado el segundo factor de su cuenta de {app}. Ya no se necesita un código para iniciar sesión.",
  "twoFactorDisabled.footer":
    "Si no ha sido usted, otra persona tiene acceso a su cuenta: cambie su contraseña en {app} y vuelva a activar el segundo factor.",
  "twoFactorReset.subject": "Se ha eliminado su segundo factor en {app}",
  "twoFactorReset.lead":
    "La administración de {app} ha eliminado el segundo factor de su cuenta. Se ha cerrado la sesión en todos los dispositivos.",
  "twoFactorReset.footer":
    "Inicie sesión en {app} y vuelva a configurar un segundo factor. Si no ha solicitado esto, cambie su contraseña y póngase en contacto con el servicio de asistencia de {app}.",
  "twoFactorLocked.subject": "Su segundo factor en {app} está bloqueado",
  "twoFactorLocked.lead":
    "Se han introducido demasiados códigos incorrectos para el segundo factor de su cuenta de {app}. Está bloqueado hasta el {time}.",
  "twoFactorLocked.footer":
    "Si no ha sido usted, es posible que otra persona conozca su contraseña: cambie su contraseña en {app}. Con códigos incorrectos nadie puede iniciar sesión.",
  "twoFactorRequired.subject": "Configure un segundo factor para {app}",
  "twoFactorRequired.lead":
    "Su cuenta de {app} necesitará un segundo factor a partir del {time}. Configúrelo antes; de lo contrario, tendrá que hacerlo la próxima vez que inicie sesión.",
  "twoFactorRequired.footer":
    "Abra {app} como de costumbre: este mensaje no contiene ningún enlace y nadie de {app} le pedirá un código.",
  "backupCodeUsed.subject": "Se ha usado un código de respaldo en {app}",
  "backupCodeUsed.lead":
    "Se ha usado un código de respaldo de su cuenta de {app}. {codesLeft, plural, =0 {No queda ningún código de respaldo} one {Queda # código de respaldo} other {Quedan # códigos de respaldo}}.",
  "backupCodeUsed.footer":
    "Si no ha sido usted, otra persona tiene sus códigos de respaldo: cambie su contraseña en {app} y cree nuevos códigos de respaldo.",
  "backupCodesGenerated.subject": "Se han creado nuevos códigos de respaldo en {app}",
  "backupCodesGenerated.lead":
    "Se han creado nuevos códigos de respaldo para su cuenta de {app}. Los anteriores ya no son válidos.",
  "backupCodesGenerated.footer":
    "Si no ha sido usted, otra persona tiene acceso a su cuenta: cambie su contraseña en {app} y cree nuevos códigos de respaldo.",
  "passkeyAdded.subject": "Se ha añadido una llave de acceso a su cuenta de {app}",
  "passkeyAdded.lead":
    "Se ha añadido {hasLabel, select, yes {la llave de acceso «{label}»} other {una llave de acceso}} a su cuenta de {app} desde {origin}. A partir de ahora permite iniciar sesión en ella.",
  "passkeyAdded.footer":
    "Si no ha sido usted, otra persona tiene acceso a su cuenta: elimine la llave de acceso en {app} y cambie su contraseña.",
  "passwordCompromised.subject": "Elija una nueva contraseña para {app}",
  "passwordCompromised.lead":
    "Ha iniciado sesión en {app} con una contraseña que se conoce por filtraciones de otros sitios web. Otras personas podrían probarla, así que elija otra en su cuenta.",
  "passwordCompromised.footer":
    "No hay ningún otro problema: nadie en {app} conoce su contraseña, y este correo no contiene ningún enlace a propósito. Cámbiela también en los demás sitios donde la use.",
  "browserAdded.subject": "Nuevo inicio de sesión en {app}",
  "browserAdded.lead":
    "Alguien inició sesión en su cuenta de {app} ({origin}). Usted no había iniciado sesión allí antes.",
  "browserAdded.footer":
    "Si fue usted, no tiene que hacer nada. Si no, cambie su contraseña en {app} y finalice la sesión.",
  "apiKeyAdded.subject": "Se ha creado una clave de API en {app}",
  "apiKeyAdded.lead":
    "Se ha creado {hasLabel, select, yes {la clave de API «{label}»} other {una clave de API}} {owner, select, organization {para una organización} other {para su cuenta}} en {app} ({creator, select, admin {por la administración} other {{origin}}}). {opensSessions, select, yes {Un programa que tenga la clave puede actuar en su nombre.} other {Elimine las claves que ya nadie necesite.}}",
  "apiKeyAdded.footer":
    "Si no lo esperaba, es posible que otra persona tenga acceso a su cuenta: elimine la clave en {app} y cambie su contraseña.",
  "passkeyRemoved.subject": "Se ha eliminado una llave de acceso de su cuenta de {app}",
  "passkeyRemoved.lead":
    "Se ha eliminado {hasLabel, select, yes {la llave de acceso «{label}»} other {una llave de acceso}} de su cuenta de {app}. Ya no permite iniciar sesión.",
  "passkeyRemoved.footer":
    "Si no ha solicitado esto, es posible que otra persona tenga acceso a su cuenta: cambie su contraseña en {app} y revise sus llaves de acceso.",
  "phoneCode.subject": "Código para {app}",
  "phoneCode.phone-number": "Su código para {app} es {code}. No se lo diga a nadie.",
  "phoneCode.phone-password-reset":
    "Su código para elegir una contraseña nueva en {app} es {code}. No se lo diga a nadie.",
  "phoneNumberChanged.subject": "Se ha cambiado el número de teléfono de su cuenta de {app}",
  "phoneNumberChanged.lead":
    "{change, select, added {Se ha establecido un número de teléfono para su cuenta de {app}. A partir de ahora permite iniciar sesión en ella.} removed {Se ha eliminado el número de teléfono de su cuenta de {app}. Ya no permite iniciar sesión.} other {Otra persona ha demostrado que recibe los SMS del número de teléfono de su cuenta de {app}. Usted no lo había utilizado en mucho tiempo, así que se ha eliminado de su cuenta.}}",
  "phoneNumberChanged.footer":
    "Si no lo esperaba, es posible que otra persona tenga acceso a su cuenta: revise su número de teléfono en {app} y cambie su contraseña.",
  "passkeyRefused.subject": "Se ha rechazado un inicio de sesión con llave de acceso en {app}",
  "passkeyRefused.lead":
    "Se ha rechazado un inicio de sesión en su cuenta de {app} porque es posible que {hasLabel, select, yes {la llave de acceso «{label}»} other {la llave de acceso}} haya sido copiada.",
  "passkeyRefused.footer":
    "Elimine esta llave de acceso en {app} y añada una nueva. Si el inicio de sesión no fue suyo, es posible que otra persona tenga una copia de la llave de acceso.",
};

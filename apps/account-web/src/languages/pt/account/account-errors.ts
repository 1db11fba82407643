import type { Translation } from "../../messages.ts";

export const accountErrors: Translation<"account", "accountErrors"> = {
  FAILED_TO_UPDATE_USER: "Não foi possível salvar. Tente novamente.",
  FIELD_IS_REQUIRED: "Falta um dado obrigatório.",
  EMAIL_IS_THE_SAME: "Este já é o seu e-mail.",
  EMAIL_ALREADY_IN_USE: "Este e-mail já está em uso.",
  COULDNT_UPDATE_YOUR_EMAIL: "Este e-mail não pode ser usado. Digite outro.",
  CHANGE_EMAIL_IS_DISABLED: "O e-mail não pode ser alterado aqui.",
  VERIFICATION_EMAIL_ISNT_ENABLED:
    "Este e-mail não pode ser verificado aqui. Entre em contato com o suporte.",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "Você não tem senha.",
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: "Esta é sua última forma de entrar. Adicione outra primeiro.",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN: "Esta é sua última forma de entrar. Adicione outra primeiro.",
  ACCOUNT_NOT_FOUND: "Este provedor não está mais vinculado.",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "Esta conta está vinculada a outro usuário.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS:
    "Você atingiu o número máximo de chaves de acesso. Exclua uma primeiro.",
  PREVIOUSLY_REGISTERED: "Este dispositivo já tem uma chave de acesso para sua conta.",
  FAILED_TO_VERIFY_REGISTRATION: "A chave de acesso não foi aceita. Tente novamente.",
  TOTP_ALREADY_ENABLED: "Um aplicativo autenticador já está configurado. Desative-o primeiro.",
  TOTP_NOT_ENABLED: "A configuração expirou. Comece novamente.",
  SESSION_NOT_FOUND: "Esta sessão já foi encerrada.",
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN:
    "Você é o último administrador, por isso sua conta não pode ser excluída. Nomeie outro administrador primeiro.",
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION:
    "Isto exige que você tenha entrado recentemente. Saia, entre novamente e repita a ação.",
  KEY_NOT_FOUND: "Esta chave não existe mais.",
  INVALID_NAME_LENGTH: "Escolha um nome com outro comprimento.",
  KEY_DISABLED_EXPIRATION: "Não é possível escolher a expiração aqui.",
  EXPIRES_IN_IS_TOO_SMALL: "Escolha uma expiração posterior.",
  EXPIRES_IN_IS_TOO_LARGE: "Escolha uma expiração anterior.",
  KEY_RETIRED: "Esta chave foi substituída e não pode ser alterada.",
  ORGANIZATION_ALREADY_EXISTS: "Este nome curto já está em uso. Escolha outro.",
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION:
    "Você não tem permissão para criar organizações.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    "Você atingiu o número máximo de organizações.",
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    "A organização precisa de um proprietário. Torne outro membro proprietário primeiro.",
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "Você não pode atribuir esta função.",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "Esta pessoa já é membro.",
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "Este e-mail já foi convidado.",
  INVITATION_LIMIT_REACHED: "Há convites demais. Cancele um ou tente novamente mais tarde.",
  INVITATION_NOT_FOUND: "Este convite não é mais válido.",
  MEMBER_NOT_FOUND: "Esta pessoa não é mais membro.",
  TEAM_NOT_FOUND: "Esta equipe não existe mais.",
  TEAM_MEMBER_LIMIT_REACHED: "Esta equipe está cheia.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: "Não é possível adicionar outra equipe.",
  UNABLE_TO_REMOVE_LAST_TEAM: "A última equipe não pode ser excluída.",
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: "Esta organização está cheia.",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    "Verifique primeiro seu e-mail. Depois você poderá responder aos convites.",
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
    "Esta URL não pode ser usada. Digite um endereço público que comece com https://.",
  THE_NUMBER_OF_WEBHOOKS_IS_LIMITED:
    "A organização tem o número máximo de webhooks. Exclua um primeiro.",
  WEBHOOK_NOT_FOUND: "Este webhook não existe mais.",
  WEBHOOK_DELIVERY_NOT_FOUND: "Esta entrega não existe mais.",
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: "Esta entrega não falhou.",
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION:
    "Sua função não permite gerenciar webhooks.",
  YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS: "Sua função não permite ver eventos de chaves de API.",
};

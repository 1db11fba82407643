import type { Translation } from "../../messages.ts";

export const errors: Translation<"front", "errors"> = {
  network: "O servidor não respondeu. Verifique sua conexão e tente novamente.",
  unreadable: "O servidor enviou uma resposta inesperada. Tente novamente em instantes.",
  unavailable: "Isto não está disponível no momento. Tente novamente em instantes.",
  failed: "Algo deu errado. Tente novamente.",
  failedWithId:
    "Algo deu errado. Tente novamente. Se o problema continuar, envie este ID ao suporte: {{id}}.",
  refused: "A solicitação foi recusada. Verifique os dados e tente novamente.",
  forbidden: "Você não tem permissão para fazer isto.",
  notFound: "Não encontrado. Pode ter sido excluído.",
  signedOut: "Sua sessão terminou. Entre novamente.",
  wait_one: "Muitas tentativas. Tente novamente em {{count}} segundo.",
  wait_other: "Muitas tentativas. Tente novamente em {{count}} segundos.",
  waitMinutes_one: "Muitas tentativas. Tente novamente em {{count}} minuto.",
  waitMinutes_other: "Muitas tentativas. Tente novamente em {{count}} minutos.",
  waitOver: "Você já pode tentar novamente.",
  required: "Este campo é obrigatório.",
  passkey:
    "O navegador não conseguiu usar uma chave de acesso. Tente novamente ou escolha outra forma.",
  pages: {
    notFound: {
      title: "Página não encontrada",
      text: "O endereço pode estar incorreto ou a página pode ter sido movida.",
    },
    failed: { title: "Não foi possível carregar esta página" },
  },
  codes: {
    INVALID_EMAIL_OR_PASSWORD: "O e-mail ou a senha está incorreto.",
    INVALID_USERNAME_OR_PASSWORD: "O nome de usuário ou a senha está incorreto.",
    INVALID_EMAIL: "Digite um e-mail como name@example.com.",
    INVALID_PASSWORD: "A senha está incorreta.",
    EMAIL_NOT_VERIFIED:
      "Verifique primeiro seu e-mail. Abra o link na mensagem que enviamos para você.",
    BANNED_USER: "Esta conta está bloqueada.",
    PASSWORD_TOO_SHORT: "Escolha uma senha mais longa.",
    PASSWORD_TOO_LONG: "Escolha uma senha mais curta.",
    INVALID_CODE: "Este código está incorreto. Digite o mais recente.",
    INVALID_BACKUP_CODE: "Este código de backup está incorreto ou já foi usado.",
    OTP_HAS_EXPIRED: "Este código expirou. Solicite um novo.",
    OTP_EXPIRED: "Este código expirou. Solicite um novo.",
    INVALID_OTP: "Este código está incorreto. Digite o mais recente.",
    TOO_MANY_ATTEMPTS: "Muitos códigos incorretos. Solicite um novo.",
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Muitos códigos incorretos. Solicite um novo.",
    ACCOUNT_TEMPORARILY_LOCKED: "Muitos códigos incorretos. Tente novamente mais tarde.",
    INVALID_TWO_FACTOR_COOKIE: "Esta tentativa de entrar expirou. Entre novamente.",
    TWO_FACTOR_REQUIRED: "Sua conta exige um segundo fator.",
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER:
      "Este nome de usuário já está em uso. Escolha outro.",
    USERNAME_IS_TOO_SHORT: "Escolha um nome de usuário mais longo.",
    USERNAME_IS_TOO_LONG: "Escolha um nome de usuário mais curto.",
    USERNAME_IS_INVALID: "Use apenas letras, números, sublinhados e pontos.",
    USER_ALREADY_EXISTS: "Já existe uma conta com este e-mail. Entre nela.",
    INVALID_TOKEN: "Este link já foi usado ou expirou. Solicite um novo.",
    INVALID_CALLBACKURL: "A página que enviou você para cá informou um endereço não permitido.",
    MISSING_CAPTCHA_RESPONSE: "Complete primeiro o captcha.",
    CAPTCHA_VERIFICATION_FAILED: "O captcha não foi aceito. Tente novamente.",
    SIGNUP_DISABLED: "Não há nenhuma conta com este e-mail.",
    ACCOUNT_NOT_LINKED:
      "Já existe uma conta com este e-mail. Entre de outra forma e depois vincule este provedor.",
    CHALLENGE_NOT_FOUND: "Demorou demais. Tente novamente.",
    PASSKEY_NOT_FOUND: "Esta chave de acesso não é reconhecida aqui. Use outra.",
    AUTHENTICATION_FAILED:
      "A chave de acesso não foi aceita. Tente novamente ou entre de outra forma.",
    SESSION_IS_NOT_FRESH: "Confirme que é você e tente novamente.",
  },
};

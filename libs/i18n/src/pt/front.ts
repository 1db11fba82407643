import type { front as english } from "../en/front.ts";
import type { Translated } from "../message.ts";

/** The Portuguese texts of the pages for signed-out users. Readers are addressed as "você", as in Brazil. */
export const front: Translated<typeof english> = {
  captcha: {
    title: "Confirme que você é uma pessoa",
    failed:
      "Não foi possível carregar o captcha. Verifique sua conexão, desative bloqueadores de conteúdo nesta página e tente novamente.",
  },
  errors: {
    network: "O servidor não respondeu. Verifique sua conexão e tente novamente.",
    unreadable: "O servidor enviou uma resposta inesperada. Tente novamente em instantes.",
    unavailable: "Isto não está disponível no momento. Tente novamente em instantes.",
    failed: "Algo deu errado. Tente novamente.",
    failedWithId:
      "Algo deu errado. Tente novamente. Se o problema continuar, envie este ID ao suporte: {id}.",
    refused: "A solicitação foi recusada. Verifique os dados e tente novamente.",
    forbidden: "Você não tem permissão para fazer isto.",
    notFound: "Não encontrado. Pode ter sido excluído.",
    signedOut: "Sua sessão terminou. Entre novamente.",
    wait: "Muitas tentativas. Tente novamente em {count, plural, one {# segundo} other {# segundos}}.",
    waitMinutes:
      "Muitas tentativas. Tente novamente em {count, plural, one {# minuto} other {# minutos}}.",
    waitOver: "Você já pode tentar novamente.",
    required: "Este campo é obrigatório.",
    passkey:
      "O navegador não conseguiu usar uma chave de acesso. Tente novamente ou escolha outra forma.",
    pages: {
      notFound: {
        title: "Página não encontrada",
        text: "O endereço pode estar incorreto ou a página pode ter sido movida.",
      },
      failed: {
        title: "Não foi possível carregar esta página",
      },
    },
    codes: {
      INVALID_EMAIL_OR_PASSWORD: "O e-mail ou a senha está incorreto.",
      INVALID_USERNAME_OR_PASSWORD: "O nome de usuário ou a senha está incorreto.",
      INVALID_EMAIL: "Digite um e-mail como name@example.com.",
      INVALID_PASSWORD: "A senha está incorreta.",
      EMAIL_NOT_VERIFIED: "Verifique primeiro seu e-mail.",
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
  },
  invitation: {
    title: "Participar de {organization}",
    text: "{inviter} convida você com a função {role}.",
    accept: "Aceitar o convite",
    decline: "Recusar",
    accepted: "Agora você é membro de {organization}.",
    declined: "Você recusou o convite.",
    signedOut: {
      title: "Você recebeu um convite",
      text: "Entre com o e-mail que recebeu o convite ou crie uma conta com ele.",
      signIn: "Entrar",
      signUp: "Criar conta",
    },
    other: {
      title: "Este convite é para outro e-mail",
      text: "Você entrou como {email}. Entre com o e-mail que recebeu o convite.",
      signOut: "Usar outra conta",
    },
    unverified: {
      title: "Verifique primeiro seu e-mail",
      text: "Somente o titular de {email} pode ver este convite. Enviaremos um link que traz você de volta para cá.",
      send: "Enviar link",
      sent: "O link está a caminho. Abra-o neste navegador.",
    },
    gone: {
      title: "Este convite não é mais válido",
      text: "Ele foi respondido, retirado ou expirou. Peça um novo.",
    },
  },
  links: {
    toSignIn: "Ir para a página de entrada",
    verifyEmail: {
      title: "Seu e-mail foi verificado",
      text: "Você já pode continuar.",
      failed:
        "Ele já foi usado ou expirou. Se seu e-mail ainda não foi verificado, solicite um novo link.",
      send: "Enviar um novo link",
      sent: "Se este e-mail ainda não foi verificado, um novo link está a caminho.",
    },
    verifyEmailOpen: {
      title: "Verifique seu e-mail",
      text: "Abra o link do e-mail que enviamos ou solicite um novo link.",
    },
    changeEmail: {
      title: "O link funcionou",
      text: "Se o novo e-mail ainda precisar confirmar a alteração, enviamos um link para ele. Seu perfil mostra o e-mail em uso.",
    },
    changeEmailFailed: {
      title: "Seu e-mail não foi alterado",
      text: "O link já foi usado, expirou ou exige que você tenha entrado na conta. Entre e altere seu e-mail novamente.",
    },
    deleteAccount: {
      title: "Sua conta foi excluída",
      text: "Todos os seus dados foram excluídos. Você pode fechar esta página.",
    },
    deleteAccountOpen: {
      title: "Nada foi excluído aqui",
      text: "Você pode excluir sua conta na página dos seus dados.",
      action: "Ir para seus dados",
    },
    deleteAccountFailed: {
      title: "Sua conta não foi excluída",
      text: "O link já foi usado, expirou ou exige que você tenha entrado na conta. Entre e exclua sua conta novamente.",
    },
    done: {
      title: "Não há mais nada a fazer aqui",
      text: "Se um link em um e-mail trouxe você até aqui, ele funcionou.",
    },
    returned: {
      title: "Você entrou na sua conta",
      text: "O aplicativo enviou você de volta para cá. Continue para ele ou feche esta página.",
    },
    failures: {
      link: {
        title: "Este link não funcionou",
        text: "Ele já foi usado ou expirou. Solicite um novo na página de entrada.",
      },
      cancelled: {
        title: "A entrada foi cancelada",
        text: "Nada mudou. Tente novamente ou entre de outra forma.",
      },
      notLinked: {
        title: "Esta conta não está vinculada",
        text: "Já existe uma conta com este e-mail. Entre nela de outra forma e depois vincule este provedor.",
      },
      otherEmail: {
        title: "A conta não foi conectada",
        text: "O e-mail dela é diferente do seu, ou o provedor não o verificou. Conecte uma conta que tenha o seu e-mail.",
      },
      taken: {
        title: "A conta não foi conectada",
        text: "Ela está conectada a outra conta aqui. Desconecte-a primeiro dessa conta.",
      },
      noAccount: {
        title: "Você ainda não tem uma conta",
        text: "Esta forma de entrar não cria contas. Entre de outra forma ou peça um convite.",
      },
      blocked: {
        title: "Esta conta está bloqueada",
        text: "Você não pode entrar. Entre em contato com o suporte se acha que isto é um engano.",
      },
      noEmail: {
        title: "O provedor não compartilhou seu e-mail",
        text: "Permita que ele compartilhe seu e-mail e tente novamente, ou entre de outra forma.",
      },
      unverified: {
        title: "Verifique primeiro seu e-mail",
        text: "Abra o link na mensagem que enviamos para você e depois entre.",
      },
      address: {
        title: "Não é possível levar você de volta",
        text: "A página que enviou você para cá informou um endereço não permitido.",
      },
      other: {
        title: "Não foi possível entrar",
        text: "Tente novamente. Se o problema continuar, entre de outra forma ou entre em contato com o suporte.",
      },
    },
  },
  page: {
    language: "Idioma",
    terms: "Termos de serviço",
    privacy: "Privacidade",
    support: "Suporte",
    or: "ou",
    back: "Voltar",
    cancel: "Cancelar",
    retry: "Tentar novamente",
    continue: "Continuar",
    goToApplication: "Ir para {name}",
    loading: "Carregando",
    offline: "Você está off-line. Esta página continuará quando a conexão voltar.",
    showPassword: "Mostrar senha",
    hidePassword: "Ocultar senha",
  },
  password: {
    newPassword: "Nova senha",
    hint: "Pelo menos {count, plural, one {# caractere} other {# caracteres}}.",
    tooShort: "Use pelo menos {count, plural, one {# caractere} other {# caracteres}}.",
    tooLong: "Escolha uma senha mais curta.",
    backToSignIn: "Voltar para a página de entrada",
    forgot: {
      title: "Redefina sua senha",
      text: "Digite seu e-mail. Enviaremos um link para você escolher uma nova senha.",
      submit: "Enviar link",
    },
    sent: {
      title: "Confira sua caixa de entrada",
      text: "Se {email} tiver uma conta aqui, um link está a caminho. Ele só funciona uma vez e por pouco tempo.",
    },
    reset: {
      title: "Escolha uma nova senha",
      submit: "Salvar senha",
      keysStay:
        "Se seu e-mail ainda não estava totalmente confirmado, chaves de API podem ser excluídas. Caso contrário, elas continuam funcionando.",
      keysEnd:
        "As chaves de API que podem entrar em seu nome são excluídas. Se seu e-mail ainda não estava totalmente confirmado, as outras também podem ser excluídas.",
    },
    changed: {
      title: "Sua senha foi alterada",
      text: "Entre com a nova senha.",
      signIn: "Entrar",
    },
    linkFailed: {
      title: "Este link não funcionou",
      text: "Ele já foi usado ou expirou. Solicite um novo.",
      again: "Solicitar um novo link",
    },
  },
  secondFactor: {
    title: "Confirme que é você",
    app: {
      label: "Código do autenticador",
      hint: "Digite o código do seu aplicativo autenticador.",
      use: "Usar seu aplicativo autenticador",
    },
    mail: {
      label: "Código do e-mail",
      hint: "Enviaremos um código por e-mail. Ele funciona por alguns minutos.",
      use: "Usar um código por e-mail",
      send: "Enviar um código por e-mail",
      sent: "Um código está a caminho da sua caixa de entrada.",
      resend: "Enviar outro código",
    },
    backup: {
      label: "Código de backup",
      hint: "Digite um dos códigos de backup que você salvou. Cada um só funciona uma vez.",
      use: "Usar um código de backup",
    },
    trust: "Confiar neste navegador",
    submit: "Confirmar",
    expired: "Esta tentativa de entrar expirou. Entre novamente.",
    tooMany: "Muitos códigos incorretos. Entre novamente.",
    enrolment: {
      title: "Configurar um segundo fator",
      text: "Sua conta exige um segundo fator. Configure um aplicativo autenticador para continuar.",
      action: "Configurar um aplicativo",
    },
  },
  signIn: {
    title: "Entrar em {name}",
    email: "E-mail",
    emailOrUsername: "E-mail ou nome de usuário",
    password: "Senha",
    enterEmail: "Digite seu e-mail.",
    enterEmailOrUsername: "Digite seu e-mail ou nome de usuário.",
    enterPassword: "Digite sua senha.",
    submit: "Entrar",
    forgot: "Esqueceu a senha?",
    stay: "Continuar conectado",
    noAccount: "Ainda não tem uma conta?",
    signUp: "Cadastre-se",
    continueWith: "Continuar com {name}",
    lastUsed: "Usado por último",
    mailLink: "Receber um link por e-mail",
    mailCode: "Receber um código por e-mail",
    passkey: "Entrar com uma chave de acesso",
    linkSent: {
      title: "Confira sua caixa de entrada",
      text: "Se {email} puder entrar aqui, um link está a caminho. Abra-o neste navegador.",
      resend: "Enviar outro link",
      again: "Outro link está a caminho.",
    },
    codeSent: {
      title: "Digite o código",
      text: "Se {email} puder entrar aqui, um código está a caminho.",
      code: "Código",
      resend: "Enviar outro código",
      again: "Outro código está a caminho.",
    },
    claim: {
      title: "Confirme a entrada",
      text: "{email} nunca foi confirmado para esta conta, então outra pessoa pode tê-la criado. Entrar com o código remove:",
      password: "a senha",
      accounts: "as contas vinculadas",
      passkeys: "as chaves de acesso",
      secondFactor: "o segundo fator",
      rest: "Todos os outros dispositivos serão desconectados e as chaves de API deixarão de funcionar.",
      choose: "Depois, você poderá escolher uma nova senha. Um e-mail com um link será enviado.",
      instead:
        "A conta é sua e você sabe a senha? Entre com ela e confirme o e-mail no seu perfil. Assim, nada será removido.",
      usePassword: "Usar a senha",
      go: "Remover e entrar",
    },
    ended: "Sua sessão terminou. Entre novamente para continuar.",
    created: "Sua conta foi criada. Entre para continuar.",
    signedOut: "Você saiu da sua conta.",
  },
  signUp: {
    title: "Crie sua conta",
    lead: "para continuar em {name}",
    name: "Nome",
    enterName: "Digite seu nome.",
    username: "Nome de usuário (opcional)",
    submit: "Criar conta",
    hasAccount: "Já tem uma conta?",
    signIn: "Entrar",
    complete: {
      title: "Complete seu perfil",
      text: "{name} precisa destes dados para criar sua conta.",
    },
    closed: {
      title: "O cadastro está fechado",
      text: "As contas são criadas somente por convite.",
    },
  },
  verification: {
    title: "Verifique seu e-mail",
    link: "Enviamos um link para {email}. Abra-o para verificar seu e-mail e depois entre.",
    code: "Enviamos um código para {email}. Digite-o para verificar seu e-mail.",
    either: "Enviamos um código e um link para {email}. Digite o código ou abra o link.",
    unknown: "Digite seu e-mail e o código que enviamos para ele.",
    linkUnknown: "Abra o link que enviamos para seu e-mail ou solicite outro.",
    submit: "Verificar e-mail",
    resend: "Enviar novamente",
    again: "Se este e-mail ainda não foi verificado, outra mensagem está a caminho.",
    claim:
      "{email} nunca foi confirmado para esta conta, então outra pessoa pode tê-la criado. Verificar com este código remove:",
    remove: "Remover e verificar",
  },
};

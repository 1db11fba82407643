import type { Translation } from "../../messages.ts";

export const links: Translation<"front", "links"> = {
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
    text: "Se um segundo e-mail for necessário, enviamos o link dele para você. Caso contrário, seu e-mail foi alterado.",
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
};

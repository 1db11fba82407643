import type { LinkTexts } from "./en.ts";

/** The Portuguese texts. Readers are addressed as "você". */
export const pt: LinkTexts = {
  ignore: "Se você não pediu isto, feche esta página: nada mudou.",
  change: {
    title: "Confirme seu novo e-mail",
    text: "Sua conta em {app} usará {newEmail} em vez de {email}.",
    button: "Alterar e-mail",
  },
  delete: {
    title: "Excluir sua conta",
    text: "Sua conta {email} em {app} será excluída permanentemente.",
    button: "Excluir conta",
  },
  signIn: {
    title: "Entrar em {app}",
    text: "Este navegador entrará na conta de {email} em {app}.",
    button: "Entrar",
  },
  signInElsewhere: {
    title: "Abra este link no outro navegador",
    text: "Este link entra na conta de {email} em {app}. Ele só funciona no navegador em que você o solicitou.",
  },
  undo: {
    title: "Desfazer a alteração do seu e-mail",
    text: "Sua conta em {app} voltará a usar {email} em vez de {newEmail}. Todos os dispositivos serão desconectados e você escolherá uma nova senha.",
    button: "Desfazer a alteração",
  },
  verify: {
    title: "Verifique seu e-mail",
    text: "Isto verifica {email} para uma conta em {app}.",
    button: "Verificar e-mail",
  },
  verifyAndSignIn: {
    title: "Verifique seu e-mail",
    text: "Isto verifica {email} para uma conta em {app}. Este navegador também entrará nessa conta.",
    button: "Verificar e entrar",
  },
  verified: {
    title: "Seu e-mail foi verificado",
    text: "Você pode fechar esta página.",
  },
  deleted: {
    title: "Sua conta foi excluída",
    text: "Você pode fechar esta página.",
  },
  signedIn: {
    title: "Você entrou na sua conta",
    text: "Você pode fechar esta página.",
  },
  undone: {
    title: "Seu e-mail voltou a ser o anterior",
    text: "Todos os dispositivos foram desconectados. Um e-mail com um link para escolher uma nova senha está a caminho.",
  },
  expired: {
    title: "Este link expirou",
    text: "Solicite um novo no aplicativo.",
  },
  signedOut: {
    title: "Entre primeiro",
    text: "Entre na sua conta neste navegador e abra o link novamente.",
  },
  notGood: {
    title: "Este link não pode ser usado",
    text: "Ele já foi usado, foi substituído ou está incompleto. Solicite um novo no aplicativo.",
  },
};

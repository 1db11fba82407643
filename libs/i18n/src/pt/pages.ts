import type { pages as english } from "../en/pages.ts";
import type { Translated } from "../message.ts";

/** The Portuguese texts of the pages of mailed links. Readers are addressed as "você", as in Brazil. */
export const pages: Translated<typeof english> = {
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
  signInClaim: {
    title: "Entrar em {app}",
    text: "{email} nunca foi confirmado para esta conta em {app}. Outra pessoa pode tê-la criado. Entrar por este link remove:",
    password: "a senha",
    accounts: "as contas vinculadas",
    passkeys: "as chaves de acesso",
    secondFactor: "o segundo fator",
    phoneNumber: "o número de telefone",
    rest: "Todos os outros dispositivos serão desconectados e as chaves de API deixarão de funcionar.",
    choose: "Depois, você escolherá uma nova senha por outro e-mail.",
    instead:
      "A conta é sua e você sabe a senha? Entre com ela e confirme o e-mail no seu perfil. Assim, nada será removido.",
    toSignIn: "Entrar com a senha",
    button: "Remover e entrar",
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

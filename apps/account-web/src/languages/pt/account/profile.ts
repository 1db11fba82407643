import type { Translation } from "../../messages.ts";

export const profile: Translation<"account", "profile"> = {
  title: "Sua conta",
  signedInAs: "Você entrou como {{email}}.",
  you: {
    title: "Perfil",
    text: "As outras pessoas veem seu nome quando vocês trabalham juntos.",
    name: "Nome",
    image: "Imagem",
    imageHint: "O endereço de uma imagem, por exemplo https://example.com/me.png.",
    imageFault: "Digite um endereço que comece com https://.",
    username: "Nome de usuário",
    save: "Salvar",
    saved: "Perfil salvo.",
  },
  email: {
    title: "E-mail",
    verified: "Verificado",
    unverified: "Não verificado",
    resend: "Reenviar verificação",
    resent: "Enviamos um link para {{email}}.",
    change: "Alterar e-mail",
    newEmail: "Novo e-mail",
    enterEmail: "Digite um e-mail como name@example.com.",
    confirmText: "Enviaremos um link para o seu e-mail atual. Abra-o para confirmar a alteração.",
    atOnceText: "Enviaremos para o novo e-mail um link que serve para verificá-lo.",
    changed: "E-mail alterado. Abra o link que enviamos para ele.",
    send: "Enviar link",
    requested: "Um link está a caminho do seu e-mail atual.",
  },
};

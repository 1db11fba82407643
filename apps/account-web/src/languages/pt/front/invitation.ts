import type { Translation } from "../../messages.ts";

export const invitation: Translation<"front", "invitation"> = {
  title: "Participar de {{organization}}",
  text: "{{inviter}} convida você com a função {{role}}.",
  accept: "Aceitar o convite",
  decline: "Recusar",
  accepted: "Agora você é membro de {{organization}}.",
  declined: "Você recusou o convite.",
  signedOut: {
    title: "Você recebeu um convite",
    text: "Entre com o e-mail que recebeu o convite ou crie uma conta com ele.",
    signIn: "Entrar",
    signUp: "Criar conta",
  },
  other: {
    title: "Este convite é para outro e-mail",
    text: "Você entrou como {{email}}. Entre com o e-mail que recebeu o convite.",
    signOut: "Usar outra conta",
  },
  unverified: {
    title: "Verifique primeiro seu e-mail",
    text: "Somente o titular de {{email}} pode ver este convite. Enviaremos um link que traz você de volta para cá.",
    send: "Enviar link",
    sent: "O link está a caminho. Abra-o neste navegador.",
  },
  gone: {
    title: "Este convite não é mais válido",
    text: "Ele foi respondido, retirado ou expirou. Peça um novo.",
  },
};

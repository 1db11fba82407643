import type { Translation } from "../../messages.ts";

export const secondFactor: Translation<"front", "secondFactor"> = {
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
};

import type { Translation } from "../../messages.ts";

export const password: Translation<"front", "password"> = {
  newPassword: "Nova senha",
  hint_one: "Pelo menos {{count}} caractere.",
  hint_other: "Pelo menos {{count}} caracteres.",
  tooShort_one: "Use pelo menos {{count}} caractere.",
  tooShort_other: "Use pelo menos {{count}} caracteres.",
  tooLong: "Escolha uma senha mais curta.",
  backToSignIn: "Voltar para a página de entrada",
  forgot: {
    title: "Redefina sua senha",
    text: "Digite seu e-mail. Enviaremos um link para você escolher uma nova senha.",
    submit: "Enviar link",
  },
  sent: {
    title: "Confira sua caixa de entrada",
    text: "Se {{email}} tiver uma conta aqui, um link está a caminho. Ele só funciona uma vez e por pouco tempo.",
  },
  reset: { title: "Escolha uma nova senha", submit: "Salvar senha" },
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
};

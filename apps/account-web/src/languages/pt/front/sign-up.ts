import type { Translation } from "../../messages.ts";

export const signUp: Translation<"front", "signUp"> = {
  title: "Crie sua conta",
  lead: "para continuar em {{name}}",
  name: "Nome",
  enterName: "Digite seu nome.",
  username: "Nome de usuário (opcional)",
  submit: "Criar conta",
  hasAccount: "Já tem uma conta?",
  signIn: "Entrar",
  closed: {
    title: "O cadastro está fechado",
    text: "As contas são criadas somente por convite.",
  },
  mailed: {
    title: "Confira sua caixa de entrada",
    text: "Enviamos um link para {{email}}. Abra-o para verificar seu e-mail e depois entre.",
  },
};

import type { Translation } from "../../messages.ts";

export const data: Translation<"account", "data"> = {
  title: "Seus dados",
  lead: "O que está armazenado sobre você e como excluir.",
  export: {
    title: "Baixar seus dados",
    text: "Um arquivo com seu perfil, formas de entrar, sessões, chaves e organizações.",
    action: "Baixar dados",
    fileName: "{{name}} dados",
  },
  delete: {
    title: "Excluir conta",
    text: "Sua conta e tudo o que há nela serão excluídos. Esta ação não pode ser desfeita.",
    action: "Excluir conta",
    confirmTitle: "Excluir sua conta?",
    mailedTitle: "Confira sua caixa de entrada",
    mailedText: "Enviamos um link para {{email}}. Abra-o para excluir sua conta.",
    done: "Concluído",
  },
};

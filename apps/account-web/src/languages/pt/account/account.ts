import type { Translation } from "../../messages.ts";

export const account: Translation<"account", "account"> = {
  navigation: "Sua conta",
  menu: "Menu",
  skip: "Ir para o conteúdo",
  signOut: "Sair",
  close: "Fechar",
  dismiss: "Dispensar",
  copied: "Copiado",
  copyFailed: "O navegador bloqueou a cópia. Copie manualmente.",
  secret: {
    keep: "Copie agora e guarde em um lugar seguro. Não será possível mostrar novamente.",
    lost: "Você não copiou. Não será possível mostrar novamente. Feche outra vez para descartar.",
    copy: "Copiar",
    done: "Concluído",
  },
  yourPassword: "Sua senha",
  screens: {
    profile: "Perfil",
    security: "Segurança",
    sessions: "Sessões",
    apiKeys: "Chaves de API",
    organizations: "Organizações",
    data: "Seus dados",
  },
  theme: { label: "Tema", system: "Tema do sistema", light: "Claro", dark: "Escuro" },
  stepUp: {
    title: "Confirme que é você",
    text: "Esta alteração exige que você tenha entrado recentemente.",
    passkey: "Usar uma chave de acesso",
    noPassword: "Não tem senha? Saia e entre novamente. Você voltará a esta página.",
  },
};

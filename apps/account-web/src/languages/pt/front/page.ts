import type { Translation } from "../../messages.ts";

export const page: Translation<"front", "page"> = {
  language: "Idioma",
  terms: "Termos de serviço",
  privacy: "Privacidade",
  support: "Suporte",
  or: "ou",
  back: "Voltar",
  cancel: "Cancelar",
  retry: "Tentar novamente",
  continue: "Continuar",
  goToApplication: "Ir para {{name}}",
  loading: "Carregando",
  offline: "Você está off-line. Esta página continuará quando a conexão voltar.",
  showPassword: "Mostrar senha",
  hidePassword: "Ocultar senha",
};

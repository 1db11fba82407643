import type { Translation } from "../../messages.ts";

export const captcha: Translation<"front", "captcha"> = {
  title: "Confirme que você é uma pessoa",
  failed:
    "Não foi possível carregar o captcha. Verifique sua conexão, desative bloqueadores de conteúdo nesta página e tente novamente.",
};

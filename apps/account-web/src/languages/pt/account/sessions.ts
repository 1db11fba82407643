import type { Translation } from "../../messages.ts";

export const sessions: Translation<"account", "sessions"> = {
  title: "Sessões",
  lead: "Os navegadores e dispositivos em que você entrou.",
  list: "Sessões ativas",
  device: "{{browser}} em {{system}}",
  unknownDevice: "Dispositivo desconhecido",
  current: "Esta sessão",
  address: "Endereço IP {{address}}",
  started: "Início",
  lastActive: "Última atividade",
  expires: "Termina",
  end: "Encerrar sessão",
  endOf: "Encerrar a sessão de {{device}}",
  ended: "Sessão encerrada.",
  endOthers: "Encerrar todas as outras",
  endOthersTitle: "Encerrar todas as outras sessões?",
  endOthersText: "Você continuará conectado aqui e será desconectado em todos os outros lugares.",
  othersEnded: "Todas as outras sessões foram encerradas.",
};

import { ConfigurationError } from "@latchkey/service-kit";
import { messageOf } from "./message-of.ts";
import { Refusal } from "./refusal.ts";

const isDebugging = () => ["debug", "trace"].includes(process.env["LOG_LEVEL"] ?? "");

/** Why a command failed, as its operator is told. */
export const explainFailure = (error: unknown): string => {
  if (error instanceof Refusal || error instanceof ConfigurationError) return error.message;
  if (error instanceof Error && isDebugging()) return error.stack ?? error.message;
  return `${messageOf(error)}\n\`npx latchkey doctor\` checks everything that is configured.`;
};

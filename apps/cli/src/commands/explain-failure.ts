import { ConfigurationError } from "@latchkey/service-kit/config";
import { StartError } from "@latchkey/service-kit/run";
import { dataDirectory } from "../installation/open-installation.ts";
import { messageOf } from "../terminal/message-of.ts";
import { Refusal } from "../terminal/refusal.ts";

const isDebugging = () => ["debug", "trace"].includes(process.env["LOG_LEVEL"] ?? "");

/** Returns why the data folder of `npm start` cannot be used, or undefined for any other error. */
const explainData = (error: unknown): string | undefined => {
  const { code, path } = error as NodeJS.ErrnoException;
  if (!code || !path?.startsWith(dataDirectory)) return undefined;
  return code === "ENOSPC"
    ? `The disk of ${dataDirectory} is full. Free some of it, then try again.`
    : `${dataDirectory} cannot be read and written (${code}). Make it a folder that this account may write to, or set DATABASE_URL and AUTH_SECRET, so that nothing is kept there.`;
};

/** Explains to the operator why a command or a start failed. */
export const explainFailure = (error: unknown): string => {
  if (
    error instanceof Refusal ||
    error instanceof ConfigurationError ||
    error instanceof StartError
  )
    return error.message;
  const data = explainData(error);
  if (data) return data;
  if (error instanceof Error && isDebugging()) return error.stack ?? error.message;
  return `${messageOf(error)}\n\`npx latchkey doctor\` checks everything that is configured.`;
};

import { newSdkCode, newSdkCodeHeader, WireError } from "@latchkey/contracts";
import { HashPoolFullError } from "@latchkey/crypto";
import type { FastifyError } from "fastify";
import { isUnavailable } from "./unavailable.ts";

const retryAfterSeconds = 1;

/** Maps the errors with which Fastify rejects a request before its handler runs. */
const refusedByServer = (error: unknown): WireError | undefined => {
  const { statusCode, code } = error as FastifyError;
  if (typeof code !== "string" || !code.startsWith("FST_ERR_")) return undefined;
  if (statusCode === 413) return new WireError("BODY_TOO_LARGE");
  return statusCode !== undefined && statusCode < 500
    ? new WireError("VALIDATION_ERROR")
    : undefined;
};

/** Returns the error to send, or undefined for a 500 without a body. */
export const wireErrorOf = (error: unknown): WireError | undefined => {
  if (error instanceof WireError) return error;
  if (error instanceof HashPoolFullError)
    return new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds: error.retryAfterSeconds });
  if (isUnavailable(error)) return new WireError("SERVICE_UNAVAILABLE", { retryAfterSeconds });
  return refusedByServer(error);
};

/** Returns the delay of an error in two headers for a rate limit, because clients of this wire read the second one. */
export const retryAfterHeaders = ({
  status,
  retryAfterSeconds,
}: WireError): Record<string, string> => {
  if (retryAfterSeconds === undefined) return {};
  const seconds = String(retryAfterSeconds);
  return { "retry-after": seconds, ...(status === 429 && { "x-retry-after": seconds }) };
};

/** Returns the headers of an error that a service sends to the gateway. */
export const internalErrorHeaders = (error: WireError): Record<string, string> => {
  const newCode = newSdkCode(error.code);
  return {
    ...retryAfterHeaders(error),
    ...(newCode !== undefined && { [newSdkCodeHeader]: newCode }),
  };
};

import type { Operation } from "@latchkey/contracts";
import { mountedPath } from "./mounted-path.ts";
import type { SentAnswer } from "./send-request.ts";
import type { Tracing } from "../observe/tracing.ts";

export interface TracedCall {
  operation: Operation;
  /** Headers of the request. The trace header is added. */
  headers: Record<string, string>;
}

/** Calls another service within a span, which the other service continues. */
export const traceCall = (
  tracing: Tracing,
  { operation, headers }: TracedCall,
  send: () => Promise<SentAnswer>,
): Promise<SentAnswer> => {
  const { method, name, owner } = operation;
  const path = mountedPath(operation);
  const attributes = {
    "http.request.method": method,
    "url.template": path,
    "latchkey.operation": name,
    "latchkey.owner": owner,
  };
  return tracing.span(`${method} ${path}`, { kind: "client", attributes }, async () => {
    const traceparent = tracing.traceparent();
    if (traceparent !== undefined) headers["traceparent"] = traceparent;
    return send();
  });
};

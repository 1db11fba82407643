import type { Operation } from "@latchkey/contracts";
import { mountedPath } from "./mounted-path.ts";
import type { SentAnswer } from "./send-request.ts";
import type { Tracing } from "../observe/tracing.ts";

export interface TracedCall {
  operation: Operation;
  /** Of the request; the one that has the other side go on with the trace is added. */
  headers: Record<string, string>;
}

/** Asks another service as a span, below which it does its part. */
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

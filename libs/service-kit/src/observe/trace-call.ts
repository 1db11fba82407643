import type { Operation } from "@latchkey/contracts";
import type { SentAnswer } from "../http/send-request.ts";
import type { Tracing } from "./tracing.ts";

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
): Promise<SentAnswer> =>
  tracing.span(
    `${operation.method} ${operation.path}`,
    {
      kind: "client",
      attributes: {
        "http.request.method": operation.method,
        "url.template": operation.path,
        "latchkey.operation": operation.name,
        "latchkey.owner": operation.owner,
      },
    },
    async () => {
      const traceparent = tracing.traceparent();
      if (traceparent !== undefined) headers["traceparent"] = traceparent;
      return send();
    },
  );

import { randomUUID } from "node:crypto";
import type { Operation, OperationReply, OperationRequest, Wire } from "@latchkey/contracts";
import type { SecretRing } from "@latchkey/crypto";
import type { Tracing } from "../observe/tracing.ts";
import { signCaller } from "./caller-signature.ts";
import { createOperationClient } from "./operation-client.ts";
import { createServicePool, type ServicePool } from "./service-pool.ts";

export interface ServiceClientOptions {
  /** Its addresses, or a pool that the caller closes. */
  to: readonly string[] | ServicePool;
  /** Name of the calling service. */
  from: string;
  ring: SecretRing;
  clock: () => number;
  tracing?: Tracing | undefined;
}

/** Calls internal operations of another service on behalf of this one. */
export interface ServiceClient {
  /** Returns the reply. Throws the operation's `WireError`, or an `Error` if the service is unavailable. */
  call<O extends Operation>(
    operation: O,
    request: OperationRequest<O>,
    options?: { signal?: AbortSignal; requestId?: string },
  ): Promise<Wire<OperationReply<O>>>;
  /** Closes its connections if it opened them. */
  close(): Promise<void>;
}

/** Creates a client of another service of the installation, which authenticates by signature. */
export const createServiceClient = (options: ServiceClientOptions): ServiceClient => {
  const { to, from, ring, clock, tracing } = options;
  const isOwn = !("next" in to);
  const pool = "next" in to ? to : createServicePool(to);
  const clientFor = (requestId: string) =>
    createOperationClient({
      pool,
      tracing,
      signFor: ({ name: operation }) => {
        const nobody = { baseUrl: "", address: "", userAgent: "" };
        return signCaller(ring, { requestId, operation, service: from, ...nobody }, clock());
      },
    });
  return {
    call: (operation, request, { signal, requestId = randomUUID() } = {}) =>
      clientFor(requestId).call(operation, request, signal ? { signal } : {}),
    close: async () => {
      if (isOwn) await pool.close();
    },
  };
};

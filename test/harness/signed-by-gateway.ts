import { callerHeader } from "@latchkey/contracts";
import { createSecretRing } from "@latchkey/crypto";
import { signCaller } from "@latchkey/service-kit/http";
import { testSecret } from "./stores.ts";

/** Returns the header of an internal call by the gateway itself. */
export const signedByGateway = (operation: string): Record<string, string> => {
  const nobody = { requestId: "request", baseUrl: "", address: "", userAgent: "" };
  const caller = { ...nobody, operation, service: "gateway" };
  return { [callerHeader]: signCaller(createSecretRing([testSecret]), caller, Date.now()) };
};

import { allOperations, errorCatalogue, type Operation } from "@latchkey/contracts";
import type { Answer } from "./http/connections.ts";

/** Every operation that clients can reach, including those that a deployment has disabled. */
export const publicOperations: readonly Operation[] = allOperations.filter(
  ({ exposure }) => exposure === "public",
);

/** Returns whether a reply is that of an unknown path, which means that the operation is disabled. */
export const isNotOffered = ({ status, text }: Answer): boolean =>
  status === 404 && !text.startsWith("{");

/** Returns the status of an operation for callers without a session. */
export const signedOutStatus = ({ signedOut = "UNAUTHORIZED" }: Operation): number =>
  typeof signedOut === "string" ? errorCatalogue[signedOut].status : signedOut[1];

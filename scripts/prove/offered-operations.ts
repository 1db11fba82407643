import { allOperations, type Operation } from "@latchkey/contracts";
import type { Answer } from "./http/connections.ts";

/** Every operation that clients reach, those included that a deployment has switched off. */
export const publicOperations: readonly Operation[] = allOperations.filter(
  ({ exposure }) => exposure === "public",
);

/** Whether an answer is that of a path that the deployment does not have: its operation is switched off. */
export const isNotOffered = ({ status, text }: Answer): boolean =>
  status === 404 && !text.startsWith("{");

import { operations, type OperationReply, resolvedBytesMax } from "@latchkey/contracts";
import { createReplySerializer } from "@latchkey/service-kit";
import type { IdentityConfig } from "../config.ts";

const { resolveSession } = operations.identity;

/** Writes a session and its user, or null, as JSON text of at most `resolvedBytesMax`. */
export type ResolvedJson = (resolved: OperationReply<typeof resolveSession>) => string;

/** Creates the writer, which leaves out the additional fields if these are too large. */
export const createResolvedJson = ({
  additionalFields,
}: Pick<IdentityConfig, "additionalFields">): ResolvedJson => {
  const write = createReplySerializer(resolveSession, additionalFields);
  const writeDeclared = createReplySerializer(resolveSession);
  return (resolved) => {
    const json = write(resolved);
    return Buffer.byteLength(json) <= resolvedBytesMax ? json : writeDeclared(resolved);
  };
};

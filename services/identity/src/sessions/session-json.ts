import { type OperationReply, operations } from "@latchkey/contracts";
import { createReplySerializer } from "@latchkey/service-kit";
import type { IdentityConfig } from "../config.ts";

const { getSession } = operations.identity;

/** Writes a reply of get-session as JSON text. */
export type SessionJson = (reply: OperationReply<typeof getSession>) => string;

export const createSessionJson = ({
  additionalFields,
}: Pick<IdentityConfig, "additionalFields">): SessionJson =>
  createReplySerializer(getSession, additionalFields);

import { operations, type OperationReply, type Wire } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { Account, CheckContext } from "./check-context.ts";

const { apikey } = operations;

/** Creates a key for a user, with limits that only admins may set. */
export const createKey = (
  context: CheckContext,
  { id: userId }: Account,
  own: object = {},
): Promise<Wire<OperationReply<typeof apikey.adminCreateApiKey>>> => {
  const body = { userId, name: "prove", ...own };
  const answer = context.admin().ask(apikey.adminCreateApiKey, { body });
  return done(answer, "an admin who may make keys (apiKey: create)");
};

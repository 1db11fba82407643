import { operations, type OperationReply, type Wire } from "@latchkey/contracts";
import { done } from "./done.ts";
import type { Account, Ground } from "./ground.ts";

const { apikey } = operations;

/** A key of somebody's, with limits that only admins may name. */
export const createKey = (
  ground: Ground,
  { id: userId }: Account,
  own: object = {},
): Promise<Wire<OperationReply<typeof apikey.adminCreateApiKey>>> => {
  const body = { userId, name: "prove", ...own };
  const asked = ground.admin().ask(apikey.adminCreateApiKey, { body });
  return done(asked, "an admin who may make keys (apiKey: create)");
};

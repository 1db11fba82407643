import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnKey } from "./queries.ts";
import { showKey } from "./show-key.ts";

type GetApiKey = typeof operations.apikey.getApiKey;

/** Shows a key of the caller's, be it one that has expired lately. Throws `KEY_NOT_FOUND`. */
export const getApiKey = async (
  { db }: Pick<Deps, "db">,
  { query: { id }, session }: Call<GetApiKey>,
): Promise<Answer<OperationReply<GetApiKey>>> => {
  const row = await findOwnKey(db, { id, userId: session.user.id });
  if (!row) throw new WireError("KEY_NOT_FOUND");
  return { reply: showKey(row) };
};

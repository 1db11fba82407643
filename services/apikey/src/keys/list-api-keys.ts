import type { OperationReply, operations } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listOwnKeys } from "./queries.ts";
import { showKey } from "./show-key.ts";

type ListApiKeys = typeof operations.apikey.listApiKeys;

/** Lists the caller's keys, the oldest first. */
export const listApiKeys = async (
  { db }: Pick<Deps, "db">,
  { query: { limit, offset }, session }: Call<ListApiKeys>,
): Promise<Answer<OperationReply<ListApiKeys>>> => {
  const rows = await listOwnKeys(db, { userId: session.user.id, limit, offset });
  return { reply: rows.map(showKey) };
};

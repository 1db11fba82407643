import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, readPage } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listOwnKeys } from "./queries.ts";
import { showKey } from "./show-key.ts";

type ListApiKeys = typeof operations.apikey.listApiKeys;

const order = { by: "createdAt", direction: "asc" } as const;

/**
 * Lists the caller's keys, the oldest first. The reply is a bare list, with no room for a cursor, so that this one is paged by
 * offset alone. Throws `VALIDATION_ERROR` for amounts that are none.
 */
export const listApiKeys = async (
  { db }: Pick<Deps, "db">,
  { query, session }: Call<ListApiKeys>,
): Promise<Answer<OperationReply<ListApiKeys>>> => {
  const { limit, offset } = readPage(order, query);
  const rows = await listOwnKeys(db, { userId: session.user.id, limit, offset });
  return { reply: rows.map(showKey) };
};

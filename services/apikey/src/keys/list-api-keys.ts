import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, limitDefault, readAmounts } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { listOwnKeys } from "./queries.ts";
import { defaultConfigId, sdkVersionOf, shapeForSdk } from "./shape-for-sdk.ts";
import { showOwnKey } from "./show-key.ts";

type ListApiKeys = typeof operations.apikey.listApiKeys;
type Query = Call<ListApiKeys>["query"];

/** Returns whether a query has a parameter that the SDK 1.2 never sends. */
const namesNew = ({ sortBy, sortDirection, configId }: Query): boolean =>
  [sortBy, sortDirection, configId].some((member) => member !== undefined);

const amountOf = (amount: string | number | undefined) =>
  amount === undefined ? undefined : Number(amount);

/**
 * Lists the caller's keys, by default the oldest first. Returns a bare list for the SDK 1.2, and a page with the total for 1.7. Both page
 * by offset alone. Throws `VALIDATION_ERROR` for invalid limits.
 */
export const listApiKeys = async (
  deps: Pick<Deps, "config" | "db">,
  { caller, query, session }: Call<ListApiKeys>,
): Promise<Answer<OperationReply<ListApiKeys>>> => {
  const version = namesNew(query) ? "1.7" : sdkVersionOf(deps, caller);
  const order = {
    by: query.sortBy ?? "createdAt",
    direction: query.sortDirection ?? "asc",
  } as const;
  const { limit: given, offset } = readAmounts(query);
  const limit = given || limitDefault;
  const userId = session.user.id;
  const read = () => listOwnKeys(deps.db, { userId, order, limit, offset });
  if (version === "1.2") return { reply: (await read()).keys.map(showOwnKey) };
  const named = { limit: amountOf(query.limit), offset: amountOf(query.offset) };
  if (query.configId !== undefined && query.configId !== defaultConfigId)
    return { reply: { apiKeys: [], total: 0, ...named } };
  const { keys, total } = await read();
  const apiKeys = keys.map((row) => shapeForSdk(version, showOwnKey(row)));
  return { reply: { apiKeys, total, ...named } };
};

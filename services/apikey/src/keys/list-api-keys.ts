import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, limitDefault, readAmounts } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  type ActingMember,
  checkMember,
  type CheckMemberNeeds,
  hasOrganizationKeys,
} from "../organizations/check-member.ts";
import type { KeyOwner } from "./key-owner.ts";
import { listOwnKeys } from "./queries.ts";
import { defaultConfigId, sdkVersionOf, shapeForNewSdk } from "./shape-for-sdk.ts";
import { showOwnKey } from "./show-key.ts";

type ListApiKeys = typeof operations.apikey.listApiKeys;
type Query = Call<ListApiKeys>["query"];

/** Returns whether a query has a parameter that the SDK 1.2 never sends. */
const namesNew = ({ sortBy, sortDirection, configId, organizationId }: Query): boolean =>
  [sortBy, sortDirection, configId, organizationId].some((member) => member !== undefined);

const amountOf = (amount: string | number | undefined) =>
  amount === undefined ? undefined : Number(amount);

/** Returns the owner of the requested keys, and the configuration that they have in the SDK 1.7. */
const chooseOwner = async (
  deps: CheckMemberNeeds,
  acting: ActingMember,
  { organizationId }: Query,
): Promise<{ owner: KeyOwner; configId: string }> => {
  if (organizationId === undefined)
    return { owner: { userId: acting.session.user.id }, configId: defaultConfigId };
  if (!hasOrganizationKeys(deps)) throw new WireError("ORGANIZATION_KEYS_DISABLED");
  await checkMember(deps, acting, { organizationId, action: "read" });
  return { owner: { organizationId }, configId: deps.config.apiKey.organizationKeys.configId };
};

/**
 * Lists the keys of the caller or of an organization, by default the oldest first. Returns a bare list for the SDK 1.2, and a page with
 * the total for 1.7. Both page by offset alone. Throws `VALIDATION_ERROR` for invalid limits, `ORGANIZATION_KEYS_DISABLED`, and the errors
 * of `checkMember`.
 */
export const listApiKeys = async (
  deps: CheckMemberNeeds & Pick<Deps, "db">,
  { caller, query, session }: Call<ListApiKeys>,
): Promise<Answer<OperationReply<ListApiKeys>>> => {
  const version = namesNew(query) ? "1.7" : sdkVersionOf(deps, caller);
  const order = {
    by: query.sortBy ?? "createdAt",
    direction: query.sortDirection ?? "asc",
  } as const;
  const { limit: given, offset } = readAmounts(query);
  const limit = given || limitDefault;
  const { owner, configId } = await chooseOwner(deps, { caller, session }, query);
  const read = () => listOwnKeys(deps.db, { owner, order, limit, offset });
  if (version === "1.2") return { reply: (await read()).keys.map(showOwnKey) };
  const named = { limit: amountOf(query.limit), offset: amountOf(query.offset) };
  if (query.configId !== undefined && query.configId !== configId)
    return { reply: { apiKeys: [], total: 0, ...named } };
  const { keys, total } = await read();
  const apiKeys = keys.map((row) => shapeForNewSdk(deps, showOwnKey(row)));
  return { reply: { apiKeys, total, ...named } };
};

import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, readDayRange } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { KeyOwner } from "../keys/key-owner.ts";
import {
  type ActingMember,
  checkMember,
  type CheckMemberNeeds,
  hasOrganizationKeys,
} from "../organizations/check-member.ts";
import { findOrganizationOfKey, isKeyKnown, listUsage, type UsageOwner } from "./queries.ts";

type ReadApiKeyUsage = typeof operations.apikey.readApiKeyUsage;
type AdminReadApiKeyUsage = typeof operations.apikey.adminReadApiKeyUsage;

const daysMax = 366;

const read = async (
  deps: Pick<Deps, "clock" | "db">,
  owner: UsageOwner,
  query: Call<AdminReadApiKeyUsage>["query"],
): Promise<Answer<OperationReply<ReadApiKeyUsage>>> => {
  const range = readDayRange(deps, query, daysMax);
  const days = await listUsage(deps.db, { ...owner, ...range });
  if (days.length === 0 && !(await isKeyKnown(deps.db, owner)))
    throw new WireError("KEY_NOT_FOUND");
  return { reply: { days } };
};

/** Returns the owner that a key must have for the caller to read its usage: the caller, or an organization whose role permits it. */
const chooseOwner = async (
  deps: CheckMemberNeeds & Pick<Deps, "db">,
  acting: ActingMember,
  keyId: string,
): Promise<KeyOwner> => {
  const organizationId = hasOrganizationKeys(deps)
    ? await findOrganizationOfKey(deps.db, keyId)
    : undefined;
  if (organizationId === undefined) return { userId: acting.session.user.id };
  await checkMember(deps, acting, { organizationId, action: "read", stranger: "KEY_NOT_FOUND" });
  return { organizationId };
};

/**
 * Returns the daily outcomes of the uses of a key of the caller or of an organization, for the last 30 days by default, also of a deleted
 * key. Throws `KEY_NOT_FOUND`, also for keys of others, `VALIDATION_ERROR` for invalid or too many days, and the errors of `checkMember`.
 */
export const readApiKeyUsage = async (
  deps: CheckMemberNeeds & Pick<Deps, "clock" | "db">,
  call: Call<ReadApiKeyUsage>,
): Promise<Answer<OperationReply<ReadApiKeyUsage>>> => {
  const { id: keyId, ...days } = call.query;
  return read(deps, { keyId, owner: await chooseOwner(deps, call, keyId) }, days);
};

/** Does the same for a key of any owner. Throws `KEY_NOT_FOUND` and `VALIDATION_ERROR`. */
export const adminReadApiKeyUsage = (
  deps: Pick<Deps, "clock" | "db">,
  { params, query }: Call<AdminReadApiKeyUsage>,
): Promise<Answer<OperationReply<AdminReadApiKeyUsage>>> => read(deps, { keyId: params.id }, query);

import { WireError } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import {
  type ActingMember,
  checkMember,
  type CheckMemberNeeds,
  hasOrganizationKeys,
  type KeyAction,
} from "../organizations/check-member.ts";
import type { ApiKeyRow } from "./key-row.ts";
import { findKey } from "./queries.ts";

export type FindManagedKeyNeeds = CheckMemberNeeds & Pick<Deps, "db">;

/**
 * Returns a key on which the caller may take an action: their own, or one of an organization whose role permits it. The owner of a key never
 * changes, so that the answer still holds when the key is locked later. Throws `KEY_NOT_FOUND`, also to callers who are not members, and the
 * errors of `checkMember`.
 */
export const findManagedKey = async (
  deps: FindManagedKeyNeeds,
  acting: ActingMember,
  { id, action }: { id: string; action: KeyAction },
): Promise<ApiKeyRow> => {
  const row = await findKey(deps.db, id);
  if (!row) throw new WireError("KEY_NOT_FOUND");
  const { organizationId } = row;
  if (organizationId === null) {
    if (row.userId === acting.session.user.id) return row;
    throw new WireError("KEY_NOT_FOUND");
  }
  if (!hasOrganizationKeys(deps)) throw new WireError("KEY_NOT_FOUND");
  await checkMember(deps, acting, { organizationId, action, stranger: "KEY_NOT_FOUND" });
  return row;
};

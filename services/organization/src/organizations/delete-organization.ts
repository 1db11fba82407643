import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership, type FindOwnMembershipNeeds } from "../members/find-own-membership.ts";
import { allows } from "../roles/role-rules.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import { requestOrigin } from "../users/request-origin.ts";
import {
  announceDeletion,
  eraseOrganization,
  type EraseOrganizationNeeds,
} from "./erase-organization.ts";
import { findOrganizationById, lockOrganization, type OrganizationRow } from "./queries.ts";
import { showOrganization } from "./show-organization.ts";

type DeleteOrganization = typeof operations.organization.deleteOrganization;
type Needs = EraseOrganizationNeeds &
  Pick<Deps, "config" | "db" | "identity" | "logger" | "urgentEvents" | "wakeRelay">;

const notMember = () => new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");

const checkCaller = async (
  deps: FindOwnMembershipNeeds,
  { body, ...acting }: Call<DeleteOrganization>,
): Promise<void> => {
  const member = await findOwnMembership(deps, acting, { id: body.organizationId });
  if (!member) throw notMember();
  if (!allows(deps.config.organization, member.role, ["organization", "delete"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION");
};

/** Returns the organization if the caller is a member who may delete it. */
const findErasable = async (
  deps: Needs,
  call: Call<DeleteOrganization>,
): Promise<OrganizationRow> => {
  await checkCaller(deps, call);
  const organization = await findOrganizationById(deps.db, call.body.organizationId);
  if (!organization) throw notMember(); // deleted concurrently
  return organization;
};

const erase = async (
  deps: Needs,
  call: Call<DeleteOrganization>,
): Promise<{ organization: OrganizationRow; userIds: string[] }> => {
  const { body, caller, session } = call;
  const actor = sessionActor(session);
  const erased = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, body.organizationId);
    if (!organization) throw notMember();
    await checkCaller({ ...deps, db: trx }, call);
    const done = await eraseOrganization(deps, trx, { organization, actor, caller });
    if (!done) throw notMember();
    return { organization, ...done };
  });
  deps.wakeRelay();
  announceDeletion(deps, caller, erased);
  return erased;
};

/**
 * Deletes an organization with all its contents. Calls the application's functions before and after, and an error from the first prevents
 * the deletion. Of several concurrent calls, one deletes. Throws `ORGANIZATION_NOT_FOUND` if none is named,
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION`, and `FORBIDDEN` if the options forbid it.
 */
export const deleteOrganization = async (
  deps: Needs,
  call: Call<DeleteOrganization>,
): Promise<Answer<OperationReply<DeleteOrganization>>> => {
  const { body, caller, session } = call;
  const { organizationId } = body;
  const { user } = session;
  const { disabled, beforeDelete, afterDelete } = deps.config.organization.organizationDeletion;
  if (!organizationId) throw new WireError("ORGANIZATION_NOT_FOUND");
  const found = await findErasable(deps, call);
  if (disabled) throw new WireError("FORBIDDEN");
  await beforeDelete?.({ organization: showOrganization(found), user }, requestOrigin(caller));
  const { organization, userIds } = await erase(deps, call);
  const erased = showOrganization(organization);
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds });
  await afterDelete?.({ organization: erased, user }, requestOrigin(caller));
  return { reply: erased, ...changed };
};

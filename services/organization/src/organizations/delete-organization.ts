import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findMember } from "../members/find-member.ts";
import { allows } from "../roles/role-rules.ts";
import { forgetOrganization } from "../sessions/choose-organization.ts";
import { requestOrigin } from "../users/request-origin.ts";
import { eraseOrganization, type EraseOrganizationNeeds } from "./erase-organization.ts";
import { lockOrganization } from "./lock-organization.ts";
import { findOrganizationById, type OrganizationRow } from "./queries.ts";
import { showOrganization } from "./show-organization.ts";

type DeleteOrganization = typeof operations.organization.deleteOrganization;
type Needs = EraseOrganizationNeeds &
  Pick<Deps, "config" | "db" | "identity" | "logger" | "wakeRelay">;

const notMember = () => new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");

const checkCaller = async (
  { config, db }: { config: Needs["config"]; db: Kysely<Tables> },
  membership: { organizationId: string; userId: string },
): Promise<void> => {
  const member = await findMember({ db }, membership);
  if (!member) throw notMember();
  if (!allows(config.organization, member.role, ["organization", "delete"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION");
};

/** The organization, of which somebody who may delete it is a member. */
const findErasable = async (
  deps: Needs,
  membership: { organizationId: string; userId: string },
): Promise<OrganizationRow> => {
  await checkCaller(deps, membership);
  const organization = await findOrganizationById(deps.db, membership.organizationId);
  if (!organization) throw notMember(); // deleted meanwhile
  return organization;
};

const erase = async (
  deps: Needs,
  { body: { organizationId }, caller, session }: Call<DeleteOrganization>,
): Promise<OrganizationRow> => {
  const actor = sessionActor(session);
  const erased = await deps.db.transaction().execute(async (trx) => {
    const organization = await lockOrganization(trx, organizationId);
    if (!organization) throw notMember();
    const membership = { organizationId, userId: session.user.id };
    await checkCaller({ config: deps.config, db: trx }, membership);
    await eraseOrganization(deps, trx, { organization, actor, caller });
    return organization;
  });
  deps.wakeRelay();
  return erased;
};

/**
 * Deletes an organization with all that is in it, with the application's functions before and after; what the first throws
 * prevents it. Of several at once one deletes. Throws `ORGANIZATION_NOT_FOUND` where none is named,
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`, `YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION`, and `FORBIDDEN` where the
 * options forbid it.
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
  const found = await findErasable(deps, { organizationId, userId: user.id });
  if (disabled) throw new WireError("FORBIDDEN");
  await beforeDelete?.({ organization: showOrganization(found), user }, requestOrigin(caller));
  const erased = showOrganization(await erase(deps, call));
  const changed = await forgetOrganization(deps, caller, { organizationId, userIds: [user.id] });
  await afterDelete?.({ organization: erased, user }, requestOrigin(caller));
  return { reply: erased, ...changed };
};

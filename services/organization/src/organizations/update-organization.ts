import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { findOwnMembership } from "../members/find-own-membership.ts";
import type { MemberRow } from "../members/queries.ts";
import { allows } from "../roles/role-rules.ts";
import { organizationOf } from "../sessions/organization-of.ts";
import {
  changeOrganization,
  type OrganizationChange,
  orAlreadyExists,
  readChange,
} from "./change-organization.ts";
import { lockOrganization, type OrganizationRow } from "./queries.ts";
import { showOrganizationObject } from "./show-organization.ts";

type UpdateOrganization = typeof operations.organization.updateOrganization;
type Needs = Pick<Deps, "clock" | "config" | "db">;

const notMember = () => new WireError("USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");

const checkCaller = ({ config }: Pick<Needs, "config">, member: MemberRow | undefined): void => {
  if (!member) throw notMember();
  if (!allows(config.organization, member.role, ["organization", "update"]))
    throw new WireError("YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");
};

const write = (
  deps: Needs,
  { caller, session }: Call<UpdateOrganization>,
  { id, change }: { id: string; change: OrganizationChange },
): Promise<OrganizationRow> =>
  deps.db.transaction().execute(async (trx) => {
    const row = await lockOrganization(trx, id);
    if (!row) throw notMember();
    checkCaller(deps, await findOwnMembership({ ...deps, db: trx }, { caller, session }, { id }));
    return changeOrganization(deps, trx, { row, change, actor: sessionActor(session), caller });
  });

/**
 * Changes the named fields of an organization. Throws `ORGANIZATION_NOT_FOUND` if none is named and the session has no active one, and
 * `USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION`. Throws `YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION`, and `ORGANIZATION_ALREADY_EXISTS`
 * if another organization has the slug.
 */
export const updateOrganization = async (
  deps: Needs,
  call: Call<UpdateOrganization>,
): Promise<Answer<OperationReply<UpdateOrganization>>> => {
  const id = organizationOf(call.session, call.body.organizationId);
  if (!id) throw new WireError("ORGANIZATION_NOT_FOUND");
  checkCaller(deps, await findOwnMembership(deps, call, { id }));
  const change = readChange(call.body.data);
  const row = await write(deps, call, { id, change }).catch(orAlreadyExists);
  return { reply: showOrganizationObject(row) };
};

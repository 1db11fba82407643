import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import { type Answer, type Call, checkReach, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import {
  createOrganizationBy,
  type CreateOrganizationByNeeds,
} from "../organizations/create-organization-by.ts";
import { findCreator } from "../organizations/find-creator.ts";
import { showOrganization } from "../organizations/show-organization.ts";
import { tellCreated } from "../organizations/tell-created.ts";

const { permission } = operations.organization.adminCreateOrganization;
type AdminCreateOrganization = typeof operations.organization.adminCreateOrganization;

/** The user was unknown, or was deleted meanwhile. */
const orUserNotFound = (error: unknown): never => {
  throw error instanceof WireError && error.code === "UNAUTHORIZED"
    ? new WireError("USER_NOT_FOUND", { status: 400 })
    : error;
};

/**
 * Creates an organization that a user owns, also where users may not create any. The application's functions, the limit per user and the
 * uniqueness of the slug apply. Changes no session. Throws `USER_NOT_FOUND`, `YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS` and
 * `ORGANIZATION_ALREADY_EXISTS`.
 */
export const adminCreateOrganization = async (
  deps: CreateOrganizationByNeeds & Pick<Deps, "identity">,
  call: Call<AdminCreateOrganization>,
): Promise<Answer<OperationReply<AdminCreateOrganization>>> => {
  const { body, caller, session } = call;
  const { userId, ...given } = body;
  const user = await findCreator(deps, caller, userId).catch(orUserNotFound);
  await checkReach(deps, call, { permission, targetIds: [user.id] });
  const created = await createOrganizationBy(deps, {
    given,
    user,
    caller,
    actor: sessionActor(session),
    isByAdmin: true,
  }).catch(orUserNotFound);
  await tellCreated(deps, created, { user, caller });
  return { reply: showOrganization(created.organization) };
};

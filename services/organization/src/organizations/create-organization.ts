import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, serviceActor, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { showMember } from "../members/show-member.ts";
import { chooseAsMember } from "../sessions/choose-as-member.ts";
import { chooseOrganizationIfPossible as choose } from "../sessions/choose-organization.ts";
import { findCreator } from "./find-creator.ts";
import {
  type CreatedOrganization,
  createOrganizationBy,
  type CreateOrganizationByNeeds,
} from "./create-organization-by.ts";
import { showOrganizationObject } from "./show-organization.ts";
import { tellCreated } from "./tell-created.ts";

type CreateOrganization = typeof operations.organization.createOrganization;
type CreateOrganizationFor = typeof operations.organization.createOrganizationFor;

const show = (
  { config }: Pick<Deps, "config">,
  { organization, member }: CreatedOrganization,
): OperationReply<CreateOrganization> => ({
  ...showOrganizationObject(organization),
  members: [showMember(config, member)],
});

/** Creates an organization for the caller and makes it active in their session, unless they keep the current one. */
export const createOrganization = async (
  deps: CreateOrganizationByNeeds & Pick<Deps, "identity" | "logger">,
  call: Call<CreateOrganization>,
): Promise<Answer<OperationReply<CreateOrganization>>> => {
  const { body, caller, session } = call;
  const { user } = session;
  const actor = sessionActor(session);
  const created = await createOrganizationBy(deps, { given: body, user, caller, actor });
  const organizationId = created.organization.id;
  const { changed } = body.keepCurrentActiveOrganization
    ? { changed: {} }
    : await chooseAsMember(deps, call, { organizationId, choose });
  await tellCreated(deps, created, { user, caller });
  return { reply: show(deps, created), ...changed };
};

/** Creates an organization for a user on behalf of a service. Changes no session. */
export const createOrganizationFor = async (
  deps: CreateOrganizationByNeeds & Pick<Deps, "identity">,
  { body, caller }: Call<CreateOrganizationFor>,
): Promise<Answer<OperationReply<CreateOrganizationFor>>> => {
  const user = await findCreator(deps, caller, body.userId);
  const actor = serviceActor(caller);
  const created = await createOrganizationBy(deps, { given: body, user, caller, actor });
  await tellCreated(deps, created, { user, caller });
  return { reply: show(deps, created) };
};

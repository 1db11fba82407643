import type { OperationReply, operations } from "@latchkey/contracts";
import { type Answer, type Call, sessionActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { showMember } from "../members/show-member.ts";
import { chooseOrganizationIfPossible } from "../sessions/choose-organization.ts";
import { findCreator } from "./find-creator.ts";
import {
  type Founded,
  foundOrganization,
  type FoundOrganizationNeeds,
} from "./found-organization.ts";
import { showOrganizationObject } from "./show-organization.ts";

type CreateOrganization = typeof operations.organization.createOrganization;
type CreateOrganizationFor = typeof operations.organization.createOrganizationFor;

const show = (
  { config }: Pick<Deps, "config">,
  { organization, member }: Founded,
): OperationReply<CreateOrganization> => ({
  ...showOrganizationObject(organization),
  members: [showMember(config, member)],
});

/** Creates an organization of the caller's, in which their session works from now on unless they keep the one before. */
export const createOrganization = async (
  deps: FoundOrganizationNeeds & Pick<Deps, "identity" | "logger">,
  { body, caller, session }: Call<CreateOrganization>,
): Promise<Answer<OperationReply<CreateOrganization>>> => {
  const { user } = session;
  const actor = sessionActor(session);
  const founded = await foundOrganization(deps, { given: body, user, caller, actor });
  const changed = body.keepCurrentActiveOrganization
    ? {}
    : await chooseOrganizationIfPossible(deps, caller, founded.organization.id);
  return { reply: show(deps, founded), ...changed };
};

/** Creates an organization for a user in the name of a service; no session works in it for that. */
export const createOrganizationFor = async (
  deps: FoundOrganizationNeeds & Pick<Deps, "identity">,
  { body, caller }: Call<CreateOrganizationFor>,
): Promise<Answer<OperationReply<CreateOrganizationFor>>> => {
  const user = await findCreator(deps, caller, body.userId);
  const actor = { kind: "service", ...(caller.service ? { id: caller.service } : {}) } as const;
  const founded = await foundOrganization(deps, { given: body, user, caller, actor });
  return { reply: show(deps, founded) };
};

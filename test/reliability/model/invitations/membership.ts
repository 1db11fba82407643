import type { CallOf } from "./calls.ts";
import {
  cancelVoid,
  removeMemberBy,
  type InvitationsState,
  isFull,
  isLastOwner,
  limits,
  type Member,
  memberOf,
  type Rule,
} from "./state.ts";

const notMember = "400 MEMBER_NOT_FOUND";
const lastOwner = "400 YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER";

const refuseStranger = (state: InvitationsState, call: { organization: string; by: string }) =>
  memberOf(state, call.organization, call.by) ? undefined : notMember;

export const remove: Rule<CallOf<"remove">> = {
  look: refuseStranger,
  act: (state, { organization: name, by, person }) => {
    const organization = state.organizations[name];
    const own = memberOf(state, name, by);
    const member = memberOf(state, name, person);
    if (!organization || !own || !member) return notMember;
    if (member.role === "owner" && own.role !== "owner") return lastOwner;
    if (isLastOwner(organization, member)) return lastOwner;
    if (own.role === "member") return "401 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER";
    removeMemberBy(state, name, member);
    return "200";
  },
};

export const leave: Rule<CallOf<"leave">> = {
  look: refuseStranger,
  act: (state, { organization: name, by }) => {
    const organization = state.organizations[name];
    const own = memberOf(state, name, by);
    if (!organization || !own) return notMember;
    if (isLastOwner(organization, own)) return lastOwner;
    removeMemberBy(state, name, own);
    return "200";
  },
};

const mayGive = (own: Member, member: Member, role: string): boolean =>
  own.role === "owner" || (own.role === "admin" && member.role !== "owner" && role !== "owner");

export const giveRole: Rule<CallOf<"give-role">> = {
  look: refuseStranger,
  act: (state, { organization: name, by, member: memberName, role }) => {
    const organization = state.organizations[name];
    const own = memberOf(state, name, by);
    const member = organization?.members[memberName];
    if (!organization || !own || !member) return notMember;
    if (!mayGive(own, member, role)) return "403 YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER";
    if (role !== "owner" && isLastOwner(organization, member)) return lastOwner;
    cancelVoid(state, name, { person: member.person, role });
    member.role = role;
    return "200";
  },
};

export const add: Rule<CallOf<"add">> = {
  look: () => undefined,
  act: (state, { organization: name, member, person, role, team }) => {
    const organization = state.organizations[name];
    if (!organization) return "400 ORGANIZATION_NOT_FOUND";
    if (memberOf(state, name, person)) return "400 USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION";
    if (team !== null && !organization.teams.includes(team)) return "400 TEAM_NOT_FOUND";
    if (team !== null && isFull(organization, team)) return "403 TEAM_MEMBER_LIMIT_REACHED";
    if (Object.keys(organization.members).length >= limits.members)
      return "403 ORGANIZATION_MEMBERSHIP_LIMIT_REACHED";
    organization.members[member] = { person, role, team };
    return "200";
  },
};

const refuseDeletion = (state: InvitationsState, { organization, by }: CallOf<"delete">) => {
  const own = memberOf(state, organization, by);
  if (!own) return "400 USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";
  return own.role === "owner" ? undefined : "403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION";
};

export const deleteOrganization: Rule<CallOf<"delete">> = {
  look: refuseDeletion,
  act: (state, call) => {
    const refusal = refuseDeletion(state, call);
    if (refusal) return refusal;
    delete state.organizations[call.organization];
    for (const [name, { organization }] of Object.entries(state.invitations))
      if (organization === call.organization) delete state.invitations[name];
    return "200";
  },
};

import type { CallOf } from "./calls.ts";
import { type InvitationsState, memberOf, type Rule } from "./state.ts";

const refuseCreation = (state: InvitationsState, { organization, by }: CallOf<"create-team">) => {
  const own = memberOf(state, organization, by);
  if (!own) return "403 YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION";
  return own.role === "member"
    ? "403 YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION"
    : undefined;
};

export const createTeam: Rule<CallOf<"create-team">> = {
  look: refuseCreation,
  act: (state, call) => {
    const refusal = refuseCreation(state, call);
    if (refusal) return refusal;
    state.organizations[call.organization]?.teams.push(call.team);
    return "200";
  },
};

const refuseRemoval = (
  state: InvitationsState,
  { organization, by, team }: CallOf<"remove-team">,
) => {
  const own = memberOf(state, organization, by);
  if (!own || own.team === team) return "403 YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM";
  return own.role === "member"
    ? "403 YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION"
    : undefined;
};

/** Members stay without a team, and invitations lose theirs. */
const forget = (state: InvitationsState, team: string): void => {
  const members = Object.values(state.organizations).flatMap((one) => Object.values(one.members));
  for (const one of [...members, ...Object.values(state.invitations)])
    if (one.team === team) one.team = null;
};

export const removeTeam: Rule<CallOf<"remove-team">> = {
  look: refuseRemoval,
  act: (state, call) => {
    const refusal = refuseRemoval(state, call);
    if (refusal) return refusal;
    const { teams = [] } = state.organizations[call.organization] ?? {};
    const place = teams.indexOf(call.team);
    if (place === -1) return "400 TEAM_NOT_FOUND";
    if (teams.length === 1) return "400 UNABLE_TO_REMOVE_LAST_TEAM";
    teams.splice(place, 1);
    forget(state, call.team);
    return "200";
  },
};

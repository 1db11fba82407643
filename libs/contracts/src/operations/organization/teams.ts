import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { userIdText } from "../../plain-text.ts";
import { id, ofMember, teamMemberSchema, teamName, teamSchema } from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const ofTeams = { ...ofMember, feature: "teams" } as const;

const teamMember = z.object({ teamId: id, userId: userIdText, organizationId: id.optional() });
const teamMemberErrors = [
  "TWO_FACTOR_REQUIRED",
  "NO_ACTIVE_ORGANIZATION",
  "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "TEAM_NOT_FOUND",
] as const;

/** Teams of an organization, if the options enable them. */
export const teamOperations = operationGroup("Teams", {
  createTeam: operation({
    ...ofTeams,
    name: "createTeam",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/create-team",
    summary: "Creates a team.",
    body: z
      .looseObject({ name: teamName, organizationId: id.optional() })
      .meta({ inputFieldsOf: "team" }),
    reply: teamSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION",
      "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS",
      "FIELD_IS_REQUIRED",
    ],
  }),
  listTeams: operation({
    ...ofTeams,
    name: "listTeams",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-teams",
    summary: "Lists the teams of an organization.",
    query: z.object({ organizationId: id.optional() }),
    reply: z.array(teamSchema),
    errors: ["TWO_FACTOR_REQUIRED", "NO_ACTIVE_ORGANIZATION", "FORBIDDEN"],
    repeatable: true,
    sharesCalls: true,
  }),
  updateTeam: operation({
    ...ofTeams,
    name: "updateTeam",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/update-team",
    summary: "Changes a team.",
    body: z.object({
      teamId: id,
      /** Inside `data`, because existing clients send the organization there. */
      data: z
        .looseObject({ name: teamName.optional(), organizationId: id.optional() })
        .meta({ inputFieldsOf: "team" }),
    }),
    reply: teamSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
      "TEAM_NOT_FOUND",
      "FIELD_IS_REQUIRED",
    ],
  }),
  removeTeam: operation({
    ...ofTeams,
    name: "removeTeam",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/remove-team",
    summary: "Removes a team; its members stay in the organization.",
    body: z.object({ teamId: id, organizationId: id.optional() }),
    reply: z.object({ message: z.string() }),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM",
      "YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION",
      "TEAM_NOT_FOUND",
      "UNABLE_TO_REMOVE_LAST_TEAM",
    ],
  }),
  setActiveTeam: operation({
    ...ofTeams,
    name: "setActiveTeam",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/set-active-team",
    summary:
      "Sets the active team of the session, within its active organization; null means none.",
    refusesApiKeys: true,
    body: z.object({ teamId: id.nullable().optional() }),
    reply: teamSchema.nullable(),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "TEAM_NOT_FOUND",
      "USER_IS_NOT_A_MEMBER_OF_THE_TEAM",
    ],
  }),
  listUserTeams: operation({
    ...ofTeams,
    name: "listUserTeams",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-user-teams",
    summary:
      "Lists the teams of the caller, in all organizations or in one. Members with `member: update` see those of others.",
    query: z.object({ userId: id.optional(), organizationId: id.optional() }),
    reply: z.array(teamSchema),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER",
      "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
    ],
    repeatable: true,
    sharesCalls: true,
  }),
  listTeamMembers: operation({
    ...ofTeams,
    name: "listTeamMembers",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-team-members",
    summary:
      "Lists the members of a team, by default the active one, to its members and to members with a permission on teams.",
    query: z.object({ teamId: id.optional() }),
    reply: z.array(teamMemberSchema),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM",
      "TEAM_NOT_FOUND",
      ["USER_IS_NOT_A_MEMBER_OF_THE_TEAM", 400],
    ],
    repeatable: true,
    sharesCalls: true,
  }),
  addTeamMember: operation({
    ...ofTeams,
    name: "addTeamMember",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/add-team-member",
    summary: "Adds a member of the organization to a team.",
    body: teamMember,
    reply: teamMemberSchema,
    errors: [
      ...teamMemberErrors,
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER",
      "TEAM_MEMBER_LIMIT_REACHED",
    ],
  }),
  removeTeamMember: operation({
    ...ofTeams,
    name: "removeTeamMember",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/remove-team-member",
    summary: "Removes a member from a team; they stay in the organization.",
    body: teamMember,
    reply: z.object({ message: z.string() }),
    errors: [
      ...teamMemberErrors,
      "YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER",
      ["USER_IS_NOT_A_MEMBER_OF_THE_TEAM", 400],
    ],
  }),
});

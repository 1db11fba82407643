import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { mayUpdate, ofAdmin, ofOrganization } from "./of-admin.ts";
import { id, memberSchema, teamName, teamSchema } from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const ofTeams = {
  ...ofAdmin,
  method: "POST",
  feature: "teamsAdmin",
  permission: mayUpdate,
  params: ofOrganization,
} as const;

const teamMember = z.object({ teamId: id, memberId: id });

/** Operations of installation admins on the teams of any organization. */
export const teamAdminOperations = operationGroup("Admin", {
  adminCreateTeam: operation({
    ...ofTeams,
    name: "adminCreateTeam",
    stepUp: stepUps.ordinary,
    path: "/admin/organizations/{id}/create-team",
    summary: "Creates a team in an organization.",
    body: z.looseObject({ name: teamName }).meta({ inputFieldsOf: "team" }),
    reply: teamSchema,
    errors: [
      "ORGANIZATION_NOT_FOUND",
      "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS",
      "FIELD_IS_REQUIRED",
    ],
  }),
  adminUpdateTeam: operation({
    ...ofTeams,
    name: "adminUpdateTeam",
    stepUp: stepUps.ordinary,
    path: "/admin/organizations/{id}/update-team",
    summary: "Changes the name and the additional fields of a team.",
    body: z.object({
      teamId: id,
      name: teamName.optional(),
      /** Additional fields of the team. */
      data: z.looseObject({}).meta({ inputFieldsOf: "team" }).optional(),
    }),
    reply: teamSchema,
    errors: ["TEAM_NOT_FOUND", "FIELD_IS_REQUIRED"],
  }),
  adminRemoveTeam: operation({
    ...ofTeams,
    name: "adminRemoveTeam",
    stepUp: stepUps.takesAway,
    path: "/admin/organizations/{id}/remove-team",
    summary: "Removes a team; its members stay in the organization.",
    body: z.object({ teamId: id }),
    reply: teamSchema,
    errors: ["TEAM_NOT_FOUND", "UNABLE_TO_REMOVE_LAST_TEAM"],
  }),
  adminAddTeamMember: operation({
    ...ofTeams,
    name: "adminAddTeamMember",
    stepUp: stepUps.ordinary,
    path: "/admin/organizations/{id}/add-team-member",
    summary: "Adds a member of the organization to a team.",
    body: teamMember,
    reply: memberSchema,
    errors: ["TEAM_NOT_FOUND", "MEMBER_NOT_FOUND", "TEAM_MEMBER_LIMIT_REACHED"],
  }),
  adminRemoveTeamMember: operation({
    ...ofTeams,
    name: "adminRemoveTeamMember",
    stepUp: stepUps.takesAway,
    path: "/admin/organizations/{id}/remove-team-member",
    summary: "Takes a member out of a team; they stay in the organization.",
    body: teamMember,
    reply: memberSchema,
    errors: ["TEAM_NOT_FOUND", "MEMBER_NOT_FOUND"],
  }),
});

import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { id, ofMember, teamName, teamSchema } from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const ofTeams = { ...ofMember, feature: "teams" } as const;

/** Teams of an organization, if the options enable them. */
export const teamOperations = operationGroup("Teams", {
  createTeam: operation({
    ...ofTeams,
    name: "createTeam",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/create-team",
    summary: "Creates a team.",
    body: z.object({ name: teamName, organizationId: id.optional() }),
    reply: teamSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION",
      "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS",
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
      data: z.object({ name: teamName.optional(), organizationId: id.optional() }),
    }),
    reply: teamSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM",
      "TEAM_NOT_FOUND",
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
});

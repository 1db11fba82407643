import { z } from "zod";
import { eventBody } from "../../events.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { userIdText } from "../../plain-text.ts";
import { connectedPermissionQuestion, permissionVerdict } from "../permissions.ts";
import { id, memberSchema, roleList } from "./objects.ts";
import {
  createdOrganization,
  createOrganizationBody,
  createOrganizationErrors,
} from "./organizations.ts";

/** Operations on organizations for services. */
export const internalOrganizationOperations = {
  createOrganizationFor: operation({
    name: "createOrganizationFor",
    stepUp: stepUps.services,
    owner: "organization",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/organization/create",
    summary:
      "Creates an organization for a user, who becomes its first owner; no session is changed.",
    body: z.looseObject(createOrganizationBody).meta({ inputFieldsOf: "organization" }),
    reply: createdOrganization,
    errors: [...createOrganizationErrors, "UNAUTHORIZED"],
    access: "anyone",
  }),
  addMember: operation({
    name: "addMember",
    stepUp: stepUps.services,
    owner: "organization",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/organization/add-member",
    summary: "Adds a user as a member.",
    body: z
      .looseObject({
        userId: userIdText,
        role: roleList,
        organizationId: id.optional(),
        teamId: id.optional(),
      })
      .meta({ inputFieldsOf: "member" }),
    reply: memberSchema,
    errors: [
      "FIELD_IS_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "ORGANIZATION_NOT_FOUND",
      ["USER_NOT_FOUND", 400],
      "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
      "TEAMS_ARE_NOT_ENABLED",
      "TEAM_NOT_FOUND",
      "TEAM_MEMBER_LIMIT_REACHED",
      "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
    ],
    access: "anyone",
  }),
  applyOrganizationEvent: operation({
    name: "applyOrganizationEvent",
    stepUp: stepUps.services,
    owner: "organization",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/organization/apply-event",
    summary:
      "Applies an event immediately. The bus delivers it as well; only the gateway may call this.",
    body: eventBody,
    reply: z.object({ applied: z.literal(true) }),
    errors: ["FORBIDDEN"],
    access: "anyone",
    repeatable: true,
  }),
  hasMemberPermission: operation({
    name: "hasMemberPermission",
    stepUp: stepUps.services,
    owner: "organization",
    exposure: "internal",
    rateClass: "none",
    method: "POST",
    path: "/organization/has-permission",
    summary: "Returns whether a member's roles in an organization allow the named actions.",
    body: connectedPermissionQuestion.safeExtend({ userId: userIdText, organizationId: id }),
    reply: permissionVerdict,
    errors: [["USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", 401]],
    access: "anyone",
    repeatable: true,
  }),
} as const;

import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText } from "../../plain-text.ts";
import { oneOrMore, pageQuery, pageTotals } from "../pages.ts";
import { id, memberSchema, memberWithUser, ofMember, roleList } from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

/** How a value of a member is compared, as clients name it. */
const filterOperators = [
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "in",
  "not_in",
  "contains",
  "starts_with",
  "ends_with",
] as const;

/** Members of an organization and their roles. */
export const memberOperations = operationGroup("Members", {
  getActiveMember: operation({
    ...ofMember,
    name: "getActiveMember",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-active-member",
    summary: "Shows the caller's membership in the session's organization.",
    reply: memberWithUser,
    errors: ["TWO_FACTOR_REQUIRED", "NO_ACTIVE_ORGANIZATION", "MEMBER_NOT_FOUND"],
    repeatable: true,
    sharesCalls: true,
  }),
  getActiveMemberRole: operation({
    ...ofMember,
    name: "getActiveMemberRole",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-active-member-role",
    summary: "Shows the roles of the caller, or of another member, in an organization.",
    query: z.object({
      userId: id.optional(),
      organizationId: id.optional(),
      organizationSlug: id.optional(),
    }),
    reply: z.object({ role: z.string() }),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
    ],
    repeatable: true,
    sharesCalls: true,
  }),
  listMembers: operation({
    ...ofMember,
    name: "listMembers",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-members",
    summary: "Searches, filters, sorts and pages through the members of an organization.",
    query: z.object({
      organizationId: id.optional(),
      organizationSlug: id.optional(),
      ...pageQuery,
      /**
       * Part of a member's name or address, or a whole id, without a filter. Ignores case, and accents of the name. In an organization with
       * more than a thousand members: the whole address or an id.
       */
      searchValue: plainText(320).optional(),
      sortBy: z.enum(["createdAt", "role", "userId", "id"]).optional(),
      filterField: z.enum(["role", "userId", "id", "teamId", "createdAt"]).optional(),
      /** Only `in` and `not_in` take several, each as a parameter of its own. */
      filterValue: oneOrMore.optional(),
      /** Those that look for a part of the text ignore case. */
      filterOperator: z.enum(filterOperators).optional(),
    }),
    reply: z.object({ members: z.array(memberWithUser), ...pageTotals }),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      ["USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION", 403],
    ],
    repeatable: true,
    sharesCalls: true,
  }),
  updateMemberRole: operation({
    ...ofMember,
    name: "updateMemberRole",
    stepUp: stepUps.memberRole,
    method: "POST",
    path: "/organization/update-member-role",
    summary: "Sets the roles of a member.",
    refusesImpersonators: true,
    body: z.object({ role: roleList, memberId: id, organizationId: id.optional() }),
    reply: memberSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "MEMBER_NOT_FOUND",
      "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER",
      "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
    ],
  }),
  removeMember: operation({
    ...ofMember,
    name: "removeMember",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/remove-member",
    summary: "Removes a member, by id or by email address.",
    body: z.object({ memberIdOrEmail: plainText(320), organizationId: id.optional() }),
    reply: z.object({ member: memberWithUser }),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "NO_ACTIVE_ORGANIZATION",
      "MEMBER_NOT_FOUND",
      "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER",
      ["YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER", 401],
    ],
  }),
  leaveOrganization: operation({
    ...ofMember,
    name: "leaveOrganization",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/leave",
    summary: "Ends the caller's membership in an organization.",
    body: z.object({ organizationId: id }),
    reply: memberWithUser,
    errors: ["MEMBER_NOT_FOUND", "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER"],
  }),
});

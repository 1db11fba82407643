import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp, userIdText } from "../../plain-text.ts";
import { oneOrMore, pageQuery, pageTotals } from "../pages.ts";
import { may, mayUpdate, ofAdmin, ofOrganization } from "./of-admin.ts";
import {
  fullOrganization,
  id,
  invitationSchema,
  memberSchema,
  memberWithUser,
  ofMemberFields,
  ofOrganizationFields,
  ofTeamFields,
  organizationInput,
  organizationRoleSchema,
  organizationRow,
  roleList,
  teamSchema,
} from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const mayGet = may("get", "YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS");
const oneInvitation = z.object({ invitationId: id });

/** Additional fields of a member. */
const memberFields = z.looseObject({}).meta({ inputFieldsOf: "member" });

/** Exact up to 10,000; 10,001 means more. */
const contentCount = z.number();

/** An organization with a first page of its contents and their counts. */
const countedOrganization = fullOrganization
  .extend({
    memberCount: contentCount,
    invitationCount: contentCount,
    /** Null if teams are off. */
    teamCount: contentCount.nullable(),
    teams: z.array(teamSchema.extend({ memberCount: contentCount }).meta(ofTeamFields)).nullable(),
    /** The roles that the organization made itself. Null if the options turn such roles off. */
    roles: z.array(organizationRoleSchema).nullable(),
  })
  .meta(ofOrganizationFields);

/** Operations of installation admins on organizations that they need not be members of. */
export const organizationAdminOperations = operationGroup("Admin", {
  adminListOrganizations: operation({
    ...ofAdmin,
    name: "adminListOrganizations",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/organizations",
    summary: "Searches, sorts and pages through the organizations.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS"),
    query: z.object({
      ...pageQuery,
      /** Words of the name or slug in any order, or the whole id. Ignores case, and accents of the name. */
      searchValue: plainText(255).optional(),
      /** Only the organizations with these ids. */
      ids: oneOrMore.optional(),
      sortBy: z.enum(["createdAt", "name", "slug"]).optional(),
    }),
    reply: z.object({
      organizations: z.array(
        organizationRow.extend({ memberCount: z.number() }).meta(ofOrganizationFields),
      ),
      ...pageTotals,
    }),
    errors: [],
    repeatable: true,
  }),
  adminListUserOrganizations: operation({
    ...ofAdmin,
    name: "adminListUserOrganizations",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/users/{id}/organizations",
    summary: "Pages through the organizations of a user, by the time of joining.",
    permission: may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS"),
    params: z.object({ id: userIdText }),
    query: z.object(pageQuery),
    reply: z.object({
      organizations: z.array(
        organizationRow
          .extend({
            /** Separated by commas if there are several. */
            role: z.string(),
            memberId: z.string(),
            joinedAt: timestamp,
          })
          .meta(ofOrganizationFields),
      ),
      ...pageTotals,
    }),
    errors: [],
    repeatable: true,
  }),
  adminGetOrganization: operation({
    ...ofAdmin,
    name: "adminGetOrganization",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/organizations/{id}",
    summary:
      "Shows an organization with its first members and teams, its latest invitations and the count of each.",
    permission: mayGet,
    params: ofOrganization,
    reply: countedOrganization,
    errors: ["ORGANIZATION_NOT_FOUND"],
    repeatable: true,
  }),
  adminListOrganizationMembers: operation({
    ...ofAdmin,
    name: "adminListOrganizationMembers",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/organizations/{id}/members",
    summary: "Searches and pages through the members of an organization, by the time of joining.",
    permission: mayGet,
    params: ofOrganization,
    query: z.object({
      ...pageQuery,
      /**
       * Part of a member's name or address, or a whole id. Ignores case, and accents of the name. In an organization with more than a
       * thousand members: the whole address or an id.
       */
      searchValue: plainText(320).optional(),
      /** A role of the member, who may have others as well. */
      role: plainText(64).optional(),
      /** Only the members of this team. */
      teamId: id.optional(),
    }),
    reply: z.object({
      members: z.array(
        /** All teams of the member, in the order of joining. Absent if teams are off. */
        memberWithUser.extend({ teamIds: z.array(z.string()).optional() }).meta(ofMemberFields),
      ),
      ...pageTotals,
    }),
    errors: ["ORGANIZATION_NOT_FOUND"],
    repeatable: true,
  }),
  adminCreateOrganization: operation({
    ...ofAdmin,
    name: "adminCreateOrganization",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/organizations",
    summary: "Creates an organization for a user, who becomes its first owner.",
    permission: may("create", "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION"),
    body: z
      .looseObject({ ...organizationInput, userId: userIdText })
      .meta({ inputFieldsOf: "organization" }),
    reply: organizationRow,
    errors: [
      ["USER_NOT_FOUND", 400],
      "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS",
      "ORGANIZATION_ALREADY_EXISTS",
      "FIELD_IS_REQUIRED",
    ],
  }),
  adminUpdateOrganization: operation({
    ...ofAdmin,
    name: "adminUpdateOrganization",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/organizations/{id}/update",
    summary: "Changes members of an organization; metadata is replaced as a whole.",
    permission: mayUpdate,
    params: ofOrganization,
    body: z.looseObject(organizationInput).partial().meta({ inputFieldsOf: "organization" }),
    reply: organizationRow,
    errors: ["ORGANIZATION_NOT_FOUND", "ORGANIZATION_ALREADY_EXISTS", "FIELD_IS_REQUIRED"],
  }),
  adminDeleteOrganization: operation({
    ...ofAdmin,
    name: "adminDeleteOrganization",
    stepUp: stepUps.deletesOrganization,
    method: "POST",
    path: "/admin/organizations/{id}/delete",
    summary: "Deletes an organization with everything in it.",
    permission: may("delete", "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION"),
    params: ofOrganization,
    reply: organizationRow,
    errors: ["ORGANIZATION_NOT_FOUND"],
  }),
  adminAddMember: operation({
    ...ofAdmin,
    name: "adminAddMember",
    stepUp: stepUps.memberRole,
    method: "POST",
    path: "/admin/organizations/{id}/add-member",
    summary: "Adds a user as a member, also to an organization without an owner.",
    permission: mayUpdate,
    params: ofOrganization,
    body: z.object({ userId: userIdText, role: roleList, data: memberFields.optional() }),
    reply: memberSchema,
    errors: [
      "ORGANIZATION_NOT_FOUND",
      ["USER_NOT_FOUND", 400],
      "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
      "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
      "FIELD_IS_REQUIRED",
    ],
  }),
  adminUpdateMember: operation({
    ...ofAdmin,
    name: "adminUpdateMember",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/organizations/{id}/update-member",
    summary: "Changes the additional fields of a member.",
    permission: mayUpdate,
    params: ofOrganization,
    body: z.object({ memberId: id, data: memberFields }),
    reply: memberSchema,
    errors: ["MEMBER_NOT_FOUND", "FIELD_IS_REQUIRED"],
  }),
  adminSetMemberRole: operation({
    ...ofAdmin,
    name: "adminSetMemberRole",
    stepUp: stepUps.memberRole,
    method: "POST",
    path: "/admin/organizations/{id}/set-member-role",
    summary: "Sets the roles of a member.",
    permission: mayUpdate,
    params: ofOrganization,
    body: z.object({ memberId: id, role: roleList }),
    reply: memberSchema,
    errors: ["MEMBER_NOT_FOUND", "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER"],
  }),
  adminTransferOwnership: operation({
    ...ofAdmin,
    name: "adminTransferOwnership",
    stepUp: stepUps.ownership,
    method: "POST",
    path: "/admin/organizations/{id}/transfer-ownership",
    summary: "Makes a member an owner, and gives the present owners another role on request.",
    permission: mayUpdate,
    refusesApiKeys: true,
    params: ofOrganization,
    body: z.object({
      memberId: id,
      /** The roles that replace those of every present owner. By default they stay owners. */
      previousOwnerRole: roleList.optional(),
    }),
    reply: z.object({
      member: memberSchema,
      /** The present owners whose roles were replaced. */
      previousOwners: z.array(memberSchema),
    }),
    errors: ["MEMBER_NOT_FOUND"],
  }),
  adminRemoveMember: operation({
    ...ofAdmin,
    name: "adminRemoveMember",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/organizations/{id}/remove-member",
    summary: "Ends a membership.",
    permission: mayUpdate,
    params: ofOrganization,
    body: z.object({ memberId: id }),
    reply: memberSchema,
    errors: ["MEMBER_NOT_FOUND", "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER"],
  }),
  adminCancelInvitation: operation({
    ...ofAdmin,
    name: "adminCancelInvitation",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/organizations/{id}/cancel-invitation",
    summary: "Cancels an invitation, whatever its state.",
    permission: mayUpdate,
    params: ofOrganization,
    body: oneInvitation,
    reply: invitationSchema,
    errors: ["INVITATION_NOT_FOUND"],
  }),
  adminResendInvitation: operation({
    ...ofAdmin,
    name: "adminResendInvitation",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/admin/organizations/{id}/resend-invitation",
    summary: "Sends the mail of a pending invitation again and renews the invitation's lifetime.",
    mailsOthers: true,
    permission: mayUpdate,
    params: ofOrganization,
    body: oneInvitation,
    reply: invitationSchema,
    errors: ["INVITATION_NOT_FOUND"],
  }),
});

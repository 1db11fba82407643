import type { Operation, operations, OperationRequest } from "@latchkey/contracts";
import type { z } from "zod";
import type { Staff, TenantIds } from "../harness/organizations.ts";

import { tinyPicture } from "../harness/pictures.ts";

type Owned = typeof operations.organization;

type SentTo<O extends Operation> = OperationRequest<O> & {
  params?: O["params"] extends z.ZodType ? z.input<O["params"]> : never;
};

/** The caller: a member of an organization, an admin of the installation, a service, or the gateway itself. */
type Asker = keyof Staff | "gateway" | "operator" | "service";

/** Successful calls of an operation. */
export interface Calling<O extends Operation = Operation> {
  by: Asker;
  /** Together, the calls use each id that the operation takes. All ids of one call belong to one tenant. */
  calls: readonly ((ids: TenantIds) => SentTo<O>)[];
  /** Sets of ids that may belong to another tenant, if the caller belongs to none. */
  ofAnybody?: readonly (readonly string[])[];
  /** Ids whose existence the caller may learn: slugs are public, and services and admins may see all ids. */
  tells?: readonly string[];
}

/** Every operation of organizations. A missing one does not compile. */
export const callings: { [Name in keyof Owned]: Calling<Owned[Name]> } = {
  createOrganization: {
    by: "owner",
    calls: [({ freeSlug: slug, strangerId: userId }) => ({ body: { name: "A", slug, userId } })],
    ofAnybody: [["body.userId"]],
    tells: ["body.slug"],
  },
  checkSlug: {
    by: "owner",
    calls: [({ freeSlug: slug }) => ({ body: { slug } })],
    tells: ["body.slug"],
  },
  updateOrganization: {
    by: "owner",
    calls: [
      ({ organizationId, freeSlug: slug }) => ({
        body: { organizationId, data: { slug } },
      }),
      ({ freeSlug: slug }) => ({ body: { data: { slug } } }),
    ],
    tells: ["body.data.slug"],
  },
  uploadOrganizationPicture: {
    by: "owner",
    calls: [({ organizationId }) => ({ body: { organizationId, picture: tinyPicture } })],
  },
  getOrganizationPicture: {
    by: "stranger",
    calls: [({ pictureHash: hash }) => ({ params: { hash } })],
  },
  deleteOrganization: {
    by: "owner",
    calls: [({ organizationId }) => ({ body: { organizationId } })],
  },
  setActiveOrganization: {
    by: "owner",
    calls: [
      ({ organizationId }) => ({ body: { organizationId } }),
      ({ organizationSlug }) => ({ body: { organizationSlug } }),
    ],
  },
  getFullOrganization: {
    by: "member",
    calls: [
      ({ organizationId }) => ({ query: { organizationId } }),
      ({ organizationSlug }) => ({ query: { organizationSlug } }),
    ],
  },
  getOrganization: {
    by: "member",
    calls: [
      ({ organizationId }) => ({ query: { organizationId } }),
      ({ organizationSlug }) => ({ query: { organizationSlug } }),
    ],
  },
  listOrganizations: { by: "member", calls: [() => ({})] },
  hasOrganizationPermission: {
    by: "member",
    calls: [({ organizationId }) => ({ body: { organizationId, permissions: { team: [] } } })],
  },
  setTwoFactorPolicy: {
    by: "owner",
    calls: [({ organizationId }) => ({ body: { organizationId, required: false } })],
  },
  getTwoFactorPolicy: {
    by: "owner",
    calls: [({ organizationId }) => ({ query: { organizationId } })],
  },
  listMembersWithoutTwoFactor: {
    by: "owner",
    calls: [({ organizationId }) => ({ query: { organizationId } })],
  },
  getActiveMember: { by: "owner", calls: [() => ({})] },
  getActiveMemberRole: {
    by: "owner",
    calls: [
      ({ organizationId, memberUserId: userId }) => ({ query: { organizationId, userId } }),
      ({ organizationSlug }) => ({ query: { organizationSlug } }),
    ],
  },
  listMembers: {
    by: "member",
    calls: [
      ({ organizationId }) => ({ query: { organizationId } }),
      ({ organizationSlug }) => ({ query: { organizationSlug } }),
    ],
  },
  updateMemberRole: {
    by: "owner",
    calls: [
      ({ organizationId, memberId }) => ({ body: { organizationId, memberId, role: "admin" } }),
      ({ memberId }) => ({ body: { memberId, role: "admin" } }),
    ],
  },
  removeMember: {
    by: "owner",
    calls: [
      ({ organizationId, memberId }) => ({ body: { organizationId, memberIdOrEmail: memberId } }),
      ({ organizationId, memberEmail }) => ({
        body: { organizationId, memberIdOrEmail: memberEmail },
      }),
      ({ memberId }) => ({ body: { memberIdOrEmail: memberId } }),
      ({ memberEmail }) => ({ body: { memberIdOrEmail: memberEmail } }),
    ],
  },
  leaveOrganization: {
    by: "member",
    calls: [({ organizationId }) => ({ body: { organizationId } })],
  },
  inviteMember: {
    by: "owner",
    calls: [
      ({ organizationId, teamId }) => ({
        body: { email: "new@example.com", role: "member", organizationId, teamId },
      }),
      ({ teamId }) => ({ body: { email: "new@example.com", role: "member", teamId } }),
    ],
  },
  resendInvitation: {
    by: "owner",
    calls: [({ invitationId }) => ({ body: { invitationId } })],
  },
  acceptInvitation: {
    by: "invitee",
    calls: [({ invitationId }) => ({ body: { invitationId } })],
    tells: ["body.invitationId"],
  },
  rejectInvitation: {
    by: "invitee",
    calls: [({ invitationId }) => ({ body: { invitationId } })],
    tells: ["body.invitationId"],
  },
  cancelInvitation: {
    by: "owner",
    calls: [({ invitationId }) => ({ body: { invitationId } })],
    tells: ["body.invitationId"],
  },
  getInvitation: {
    by: "invitee",
    calls: [({ invitationId: id }) => ({ query: { id } })],
    tells: ["query.id"],
  },
  openInvitation: {
    by: "stranger",
    calls: [({ invitationId: id }) => ({ query: { id } })],
    ofAnybody: [["query.id"]],
  },
  listInvitations: {
    by: "member",
    calls: [({ organizationId }) => ({ query: { organizationId } })],
  },
  listUserInvitations: { by: "invitee", calls: [() => ({})] },
  createTeam: {
    by: "owner",
    calls: [({ organizationId }) => ({ body: { organizationId, name: "Third" } })],
  },
  listTeams: {
    by: "member",
    calls: [({ organizationId }) => ({ query: { organizationId } })],
  },
  updateTeam: {
    by: "owner",
    calls: [
      ({ organizationId, teamId }) => ({ body: { teamId, data: { organizationId, name: "T" } } }),
      ({ teamId }) => ({ body: { teamId, data: { name: "T" } } }),
    ],
  },
  removeTeam: {
    by: "owner",
    calls: [
      ({ organizationId, teamId }) => ({ body: { teamId, organizationId } }),
      ({ teamId }) => ({ body: { teamId } }),
    ],
  },
  setActiveTeam: {
    by: "owner",
    calls: [({ ownersTeamId: teamId }) => ({ body: { teamId } })],
  },
  listUserTeams: {
    by: "owner",
    calls: [({ organizationId, memberUserId: userId }) => ({ query: { organizationId, userId } })],
  },
  listTeamMembers: {
    by: "owner",
    calls: [({ teamId }) => ({ query: { teamId } })],
  },
  addTeamMember: {
    by: "owner",
    calls: [
      ({ organizationId, teamId, memberUserId: userId }) => ({
        body: { organizationId, teamId, userId },
      }),
      ({ teamId, memberUserId: userId }) => ({ body: { teamId, userId } }),
    ],
  },
  removeTeamMember: {
    by: "owner",
    calls: [
      ({ organizationId, staffedTeamId: teamId, memberUserId: userId }) => ({
        body: { organizationId, teamId, userId },
      }),
      ({ staffedTeamId: teamId, memberUserId: userId }) => ({ body: { teamId, userId } }),
    ],
  },
  createRole: {
    by: "owner",
    calls: [
      ({ organizationId }) => ({
        body: { organizationId, role: "sailor", permission: { team: ["create"] } },
      }),
    ],
  },
  updateRole: {
    by: "owner",
    calls: [
      ({ organizationId, roleId }) => ({
        body: { organizationId, roleId, data: { roleName: "skipper" } },
      }),
      ({ roleId }) => ({ body: { roleId, data: { roleName: "skipper" } } }),
    ],
  },
  deleteRole: {
    by: "owner",
    calls: [
      ({ organizationId, roleId }) => ({ body: { organizationId, roleId } }),
      ({ roleId }) => ({ body: { roleId } }),
    ],
  },
  listRoles: {
    by: "member",
    calls: [({ organizationId }) => ({ query: { organizationId } })],
  },
  getRole: {
    by: "member",
    calls: [({ organizationId, roleId }) => ({ query: { organizationId, roleId } })],
  },
  adminListOrganizations: { by: "operator", calls: [() => ({})] },
  adminListUserOrganizations: {
    by: "operator",
    calls: [({ memberUserId: id }) => ({ params: { id } })],
    ofAnybody: [["params.id"]],
  },
  adminGetOrganization: {
    by: "operator",
    calls: [({ organizationId: id }) => ({ params: { id } })],
    ofAnybody: [["params.id"]],
  },
  adminListOrganizationMembers: {
    by: "operator",
    calls: [
      ({ organizationId: id }) => ({ params: { id } }),
      ({ organizationId: id, teamId }) => ({ params: { id }, query: { teamId } }),
    ],
    ofAnybody: [["params.id"], ["query.teamId"], ["params.id", "query.teamId"]],
  },
  adminCreateOrganization: {
    by: "operator",
    calls: [({ freeSlug: slug, strangerId: userId }) => ({ body: { name: "A", slug, userId } })],
    ofAnybody: [["body.userId"]],
    tells: ["body.slug"],
  },
  adminUpdateOrganization: {
    by: "operator",
    calls: [({ organizationId: id, freeSlug: slug }) => ({ params: { id }, body: { slug } })],
    ofAnybody: [["params.id"], ["params.id", "body.slug"]],
    tells: ["body.slug"],
  },
  adminDeleteOrganization: {
    by: "operator",
    calls: [({ organizationId: id }) => ({ params: { id } })],
    ofAnybody: [["params.id"]],
  },
  adminAddMember: {
    by: "operator",
    calls: [
      ({ organizationId: id, strangerId: userId }) => ({
        params: { id },
        body: { userId, role: "member" },
      }),
    ],
    ofAnybody: [["params.id"], ["body.userId"], ["params.id", "body.userId"]],
  },
  adminUpdateMember: {
    by: "operator",
    calls: [
      ({ organizationId: id, memberId }) => ({ params: { id }, body: { memberId, data: {} } }),
    ],
    ofAnybody: [["params.id", "body.memberId"]],
  },
  adminCreateOrganizationRole: {
    by: "operator",
    calls: [
      ({ organizationId: id }) => ({
        params: { id },
        body: { role: "sailor", permission: { team: ["create"] } },
      }),
    ],
    ofAnybody: [["params.id"]],
    tells: ["params.id"],
  },
  adminUpdateOrganizationRole: {
    by: "operator",
    calls: [
      ({ organizationId: id, roleId }) => ({
        params: { id },
        body: { roleId, data: { roleName: "skipper" } },
      }),
    ],
    ofAnybody: [["params.id", "body.roleId"]],
  },
  adminDeleteOrganizationRole: {
    by: "operator",
    calls: [({ organizationId: id, roleId }) => ({ params: { id }, body: { roleId } })],
    ofAnybody: [["params.id", "body.roleId"]],
  },
  adminSetMemberRole: {
    by: "operator",
    calls: [
      ({ organizationId: id, memberId }) => ({ params: { id }, body: { memberId, role: "admin" } }),
    ],
    ofAnybody: [["params.id", "body.memberId"]],
  },
  adminTransferOwnership: {
    by: "operator",
    calls: [({ organizationId: id, memberId }) => ({ params: { id }, body: { memberId } })],
    ofAnybody: [["params.id", "body.memberId"]],
  },
  adminRemoveMember: {
    by: "operator",
    calls: [({ organizationId: id, memberId }) => ({ params: { id }, body: { memberId } })],
    ofAnybody: [["params.id", "body.memberId"]],
  },
  adminCancelInvitation: {
    by: "operator",
    calls: [({ organizationId: id, invitationId }) => ({ params: { id }, body: { invitationId } })],
    ofAnybody: [["params.id", "body.invitationId"]],
  },
  adminResendInvitation: {
    by: "operator",
    calls: [({ organizationId: id, invitationId }) => ({ params: { id }, body: { invitationId } })],
    ofAnybody: [["params.id", "body.invitationId"]],
  },
  adminCreateTeam: {
    by: "operator",
    calls: [({ organizationId: id }) => ({ params: { id }, body: { name: "Third" } })],
    ofAnybody: [["params.id"]],
  },
  adminUpdateTeam: {
    by: "operator",
    calls: [
      ({ organizationId: id, teamId }) => ({ params: { id }, body: { teamId, name: "Crew" } }),
    ],
    ofAnybody: [["params.id", "body.teamId"]],
  },
  adminRemoveTeam: {
    by: "operator",
    calls: [({ organizationId: id, teamId }) => ({ params: { id }, body: { teamId } })],
    ofAnybody: [["params.id", "body.teamId"]],
  },
  adminAddTeamMember: {
    by: "operator",
    calls: [
      ({ organizationId: id, teamId, memberId }) => ({
        params: { id },
        body: { teamId, memberId },
      }),
    ],
    ofAnybody: [["params.id", "body.teamId", "body.memberId"]],
    tells: ["params.id"],
  },
  adminRemoveTeamMember: {
    by: "operator",
    calls: [
      ({ organizationId: id, staffedTeamId: teamId, memberId }) => ({
        params: { id },
        body: { teamId, memberId },
      }),
    ],
    ofAnybody: [["params.id", "body.teamId", "body.memberId"]],
    tells: ["params.id"],
  },
  adminListOrganizationAudit: {
    by: "operator",
    calls: [
      ({ organizationId: subjectId, memberUserId: actorId }) => ({
        query: { subjectId, actorId },
      }),
    ],
    ofAnybody: [["query.subjectId"], ["query.actorId"], ["query.subjectId", "query.actorId"]],
  },
  createOrganizationFor: {
    by: "service",
    calls: [({ freeSlug: slug, strangerId: userId }) => ({ body: { name: "A", slug, userId } })],
    ofAnybody: [["body.userId"]],
    tells: ["body.slug"],
  },
  addMember: {
    by: "service",
    calls: [
      ({ organizationId, teamId, strangerId: userId }) => ({
        body: { organizationId, teamId, userId, role: "member" },
      }),
    ],
    ofAnybody: [
      ["body.userId"],
      ["body.organizationId", "body.teamId"],
      ["body.organizationId", "body.teamId", "body.userId"],
    ],
    tells: ["body.organizationId", "body.userId"],
  },
  applyOrganizationEvent: {
    by: "gateway",
    calls: [
      // For an unknown user, so that nothing changes.
      ({ organizationId: id }) => ({
        body: {
          id,
          name: "user.deleted",
          version: 1,
          occurredAt: new Date().toISOString(),
          data: { userId: "nobody", email: "nobody@example.com" },
        },
      }),
    ],
    ofAnybody: [["body.id"]],
  },
  hasMemberPermission: {
    by: "service",
    calls: [
      ({ organizationId, memberUserId: userId }) => ({
        body: { organizationId, userId, permissions: { team: [] } },
      }),
    ],
    ofAnybody: [["body.organizationId", "body.userId"]],
  },
  authorizeMember: {
    by: "service",
    calls: [
      ({ organizationId, memberUserId: userId }) => ({
        body: { organizationId, userId, resource: "apiKey", action: "read" },
      }),
    ],
    // Its reply is the verdict, also for ids that do not belong together.
    ofAnybody: [["body.organizationId"], ["body.userId"], ["body.organizationId", "body.userId"]],
  },
  findKeyOrganizations: {
    by: "service",
    calls: [({ organizationId }) => ({ body: { ids: [organizationId] } })],
    ofAnybody: [["body.ids"]],
    tells: ["body.ids"],
  },
  listKeyOrganizationOwners: {
    by: "service",
    calls: [({ organizationId }) => ({ body: { organizationId } })],
    ofAnybody: [["body.organizationId"]],
    tells: ["body.organizationId"],
  },
};

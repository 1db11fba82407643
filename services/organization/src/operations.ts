import { createAuditList, findByEmailRemotely } from "@latchkey/service-kit/audit";
import { createEventApplier } from "@latchkey/service-kit/events";
import type { OperationChecks, OperationHandlers } from "@latchkey/service-kit/run";
import {
  adminAddMember,
  adminListOrganizationMembers,
  adminRemoveMember,
  adminSetMemberRole,
  adminTransferOwnership,
  adminUpdateMember,
} from "./admin/members.ts";
import { adminCancelInvitation, adminResendInvitation } from "./admin/invitations.ts";
import {
  adminCreateOrganization,
  adminDeleteOrganization,
  adminGetOrganization,
  adminListOrganizations,
  adminListUserOrganizations,
  adminUpdateOrganization,
} from "./admin/organizations.ts";
import {
  adminCreateOrganizationRole,
  adminDeleteOrganizationRole,
  adminUpdateOrganizationRole,
} from "./admin/roles.ts";
import {
  adminAddTeamMember,
  adminCreateTeam,
  adminRemoveTeam,
  adminRemoveTeamMember,
  adminUpdateTeam,
} from "./admin/teams.ts";
import {
  authorizeMember,
  findKeyOrganizations,
  listKeyOrganizationOwners,
} from "./api-keys/operations.ts";
import { consumers } from "./consumers.ts";
import type { Deps } from "./deps.ts";
import {
  acceptInvitation,
  getInvitation,
  openInvitation,
  listUserInvitations,
  rejectInvitation,
} from "./invitations/recipient-operations.ts";
import {
  cancelInvitation,
  inviteMember,
  listInvitations,
  resendInvitation,
} from "./invitations/operations.ts";
import {
  addMember,
  getActiveMember,
  getActiveMemberRole,
  leaveOrganization,
  listMembers,
  removeMember,
  updateMemberRole,
} from "./members/operations.ts";
import {
  checkRequiredFields,
  checkSlug,
  createOrganization,
  createOrganizationFor,
  deleteOrganization,
  getFullOrganization,
  getOrganization,
  hasMemberPermission,
  hasOrganizationPermission,
  listOrganizations,
  setActiveOrganization,
} from "./organizations/operations.ts";
import {
  getOrganizationPicture,
  updateOrganization,
  uploadOrganizationPicture,
} from "./organizations/update-organization.ts";
import {
  createRole,
  deleteRole,
  getRole,
  listRoles,
  updateRole,
} from "./organization-roles/operations.ts";
import { createTeam, listTeams, removeTeam, updateTeam } from "./teams/operations.ts";
import {
  addTeamMember,
  listTeamMembers,
  listUserTeams,
  removeTeamMember,
  setActiveTeam,
} from "./teams/team-members.ts";
import {
  getTwoFactorPolicy,
  listMembersWithoutTwoFactor,
  setTwoFactorPolicy,
} from "./members/two-factor-policy.ts";
import { withAuthentication } from "./access/with-authentication.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"organization", Deps> = withAuthentication({
  createOrganization,
  createOrganizationFor,
  checkSlug,
  updateOrganization,
  uploadOrganizationPicture,
  getOrganizationPicture,
  deleteOrganization,
  setActiveOrganization,
  getFullOrganization,
  getOrganization,
  listOrganizations,
  hasOrganizationPermission,
  applyOrganizationEvent: createEventApplier(consumers),
  hasMemberPermission,
  authorizeMember,
  findKeyOrganizations,
  listKeyOrganizationOwners,
  getActiveMember,
  getActiveMemberRole,
  listMembers,
  updateMemberRole,
  removeMember,
  leaveOrganization,
  addMember,
  inviteMember,
  resendInvitation,
  acceptInvitation,
  rejectInvitation,
  cancelInvitation,
  getInvitation,
  openInvitation,
  listInvitations,
  listUserInvitations,
  createTeam,
  listTeams,
  updateTeam,
  removeTeam,
  setActiveTeam,
  listUserTeams,
  listTeamMembers,
  addTeamMember,
  removeTeamMember,
  createRole,
  updateRole,
  deleteRole,
  listRoles,
  getRole,
  setTwoFactorPolicy,
  getTwoFactorPolicy,
  listMembersWithoutTwoFactor,
  adminListOrganizations,
  adminListUserOrganizations,
  adminGetOrganization,
  adminListOrganizationMembers,
  adminCreateOrganization,
  adminUpdateOrganization,
  adminDeleteOrganization,
  adminAddMember,
  adminUpdateMember,
  adminSetMemberRole,
  adminTransferOwnership,
  adminRemoveMember,
  adminCancelInvitation,
  adminResendInvitation,
  adminCreateTeam,
  adminUpdateTeam,
  adminRemoveTeam,
  adminAddTeamMember,
  adminRemoveTeamMember,
  adminCreateOrganizationRole,
  adminUpdateOrganizationRole,
  adminDeleteOrganizationRole,
  adminListOrganizationAudit: createAuditList(findByEmailRemotely),
});

/** Checks on the raw body that come before its schema. */
export const firstChecks: OperationChecks<"organization", Deps> = {
  createOrganization: checkRequiredFields,
  createOrganizationFor: checkRequiredFields,
};

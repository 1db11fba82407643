import {
  createAuditList,
  createEventApplier,
  findByEmailRemotely,
  type OperationChecks,
  type OperationHandlers,
} from "@latchkey/service-kit";
import { adminAddMember } from "./admin/admin-add-member.ts";
import { adminCancelInvitation } from "./admin/admin-cancel-invitation.ts";
import { adminCreateOrganization } from "./admin/admin-create-organization.ts";
import { adminDeleteOrganization } from "./admin/admin-delete-organization.ts";
import { adminGetOrganization } from "./admin/admin-get-organization.ts";
import { adminListOrganizations } from "./admin/admin-list-organizations.ts";
import { adminRemoveMember } from "./admin/admin-remove-member.ts";
import { adminResendInvitation } from "./admin/admin-resend-invitation.ts";
import { adminSetMemberRole } from "./admin/admin-set-member-role.ts";
import { adminTransferOwnership } from "./admin/admin-transfer-ownership.ts";
import { adminUpdateOrganization } from "./admin/admin-update-organization.ts";
import { adminListOrganizationMembers } from "./admin/members/admin-list-organization-members.ts";
import { adminAddTeamMember } from "./admin/teams/admin-add-team-member.ts";
import { adminCreateTeam } from "./admin/teams/admin-create-team.ts";
import { adminRemoveTeam } from "./admin/teams/admin-remove-team.ts";
import { adminRemoveTeamMember } from "./admin/teams/admin-remove-team-member.ts";
import { adminUpdateTeam } from "./admin/teams/admin-update-team.ts";
import { adminListUserOrganizations } from "./admin/user-organizations/admin-list-user-organizations.ts";
import { authorizeMember } from "./api-keys/authorize-member.ts";
import {
  findKeyOrganizations,
  listKeyOrganizationOwners,
} from "./api-keys/find-key-organizations.ts";
import { consumers } from "./consumers.ts";
import type { Deps } from "./deps.ts";
import { acceptInvitation } from "./invitations/accept-invitation.ts";
import { cancelInvitation } from "./invitations/cancel-invitation.ts";
import { getInvitation } from "./invitations/get-invitation.ts";
import { inviteMember } from "./invitations/invite-member.ts";
import { listInvitations } from "./invitations/list-invitations.ts";
import { listUserInvitations } from "./invitations/list-user-invitations.ts";
import { rejectInvitation } from "./invitations/reject-invitation.ts";
import { resendInvitation } from "./invitations/resend-invitation.ts";
import { addMember } from "./members/add-member.ts";
import { getActiveMember } from "./members/get-active-member.ts";
import { leaveOrganization } from "./members/leave-organization.ts";
import { listMembers } from "./members/list-members.ts";
import { removeMember } from "./members/remove-member.ts";
import { updateMemberRole } from "./members/update-member-role.ts";
import { checkRequiredFields } from "./organizations/check-required-fields.ts";
import { checkSlug } from "./organizations/check-slug.ts";
import { createOrganization, createOrganizationFor } from "./organizations/create-organization.ts";
import { deleteOrganization } from "./organizations/delete-organization.ts";
import { getFullOrganization } from "./organizations/get-full-organization.ts";
import {
  hasMemberPermission,
  hasOrganizationPermission,
} from "./organizations/has-organization-permission.ts";
import { listOrganizations } from "./organizations/list-organizations.ts";
import { setActiveOrganization } from "./organizations/set-active-organization.ts";
import { updateOrganization } from "./organizations/update-organization.ts";
import { createTeam } from "./teams/create-team.ts";
import { listTeams } from "./teams/list-teams.ts";
import { removeTeam } from "./teams/remove-team.ts";
import { updateTeam } from "./teams/update-team.ts";
import { getTwoFactorPolicy } from "./two-factor/get-two-factor-policy.ts";
import { listMembersWithoutTwoFactor } from "./two-factor/list-members-without-two-factor.ts";
import { setTwoFactorPolicy } from "./two-factor/set-two-factor-policy.ts";
import { withAuthentication } from "./two-factor/with-authentication.ts";

/** The handler of each operation. */
export const operations: OperationHandlers<"organization", Deps> = withAuthentication({
  createOrganization,
  createOrganizationFor,
  checkSlug,
  updateOrganization,
  deleteOrganization,
  setActiveOrganization,
  getFullOrganization,
  listOrganizations,
  hasOrganizationPermission,
  applyOrganizationEvent: createEventApplier(consumers),
  hasMemberPermission,
  authorizeMember,
  findKeyOrganizations,
  listKeyOrganizationOwners,
  getActiveMember,
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
  listInvitations,
  listUserInvitations,
  createTeam,
  listTeams,
  updateTeam,
  removeTeam,
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
  adminListOrganizationAudit: createAuditList(findByEmailRemotely),
});

/** Checks on the raw body that come before its schema. */
export const firstChecks: OperationChecks<"organization", Deps> = {
  createOrganization: checkRequiredFields,
  createOrganizationFor: checkRequiredFields,
};

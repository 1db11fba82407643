import type { operations } from "@latchkey/contracts";
import { applyEvent, type FirstChecks, type Handlers, listAudit } from "@latchkey/service-kit";
import { adminAddMember } from "./admin/admin-add-member.ts";
import { adminCancelInvitation } from "./admin/admin-cancel-invitation.ts";
import { adminDeleteOrganization } from "./admin/admin-delete-organization.ts";
import { adminGetOrganization } from "./admin/admin-get-organization.ts";
import { adminListOrganizations } from "./admin/admin-list-organizations.ts";
import { adminRemoveMember } from "./admin/admin-remove-member.ts";
import { adminResendInvitation } from "./admin/admin-resend-invitation.ts";
import { adminSetMemberRole } from "./admin/admin-set-member-role.ts";
import { adminUpdateOrganization } from "./admin/admin-update-organization.ts";
import { adminListOrganizationMembers } from "./admin/members/admin-list-organization-members.ts";
import { adminListUserOrganizations } from "./admin/user-organizations/admin-list-user-organizations.ts";
import { createConsumers } from "./consumers.ts";
import { schema } from "./db/schema.ts";
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

/** Maps each operation to its handler. */
export const createHandlers = (deps: Deps): Handlers<typeof operations.organization> => ({
  createOrganization: (call) => createOrganization(deps, call),
  createOrganizationFor: (call) => createOrganizationFor(deps, call),
  checkSlug: (call) => checkSlug(deps, call),
  updateOrganization: (call) => updateOrganization(deps, call),
  deleteOrganization: (call) => deleteOrganization(deps, call),
  setActiveOrganization: (call) => setActiveOrganization(deps, call),
  getFullOrganization: (call) => getFullOrganization(deps, call),
  listOrganizations: (call) => listOrganizations(deps, call),
  hasOrganizationPermission: (call) => hasOrganizationPermission(deps, call),
  applyOrganizationEvent: (call) => applyEvent(createConsumers(deps), call),
  hasMemberPermission: (call) => hasMemberPermission(deps, call),
  getActiveMember: (call) => getActiveMember(deps, call),
  listMembers: (call) => listMembers(deps, call),
  updateMemberRole: (call) => updateMemberRole(deps, call),
  removeMember: (call) => removeMember(deps, call),
  leaveOrganization: (call) => leaveOrganization(deps, call),
  addMember: (call) => addMember(deps, call),
  inviteMember: (call) => inviteMember(deps, call),
  resendInvitation: (call) => resendInvitation(deps, call),
  acceptInvitation: (call) => acceptInvitation(deps, call),
  rejectInvitation: (call) => rejectInvitation(deps, call),
  cancelInvitation: (call) => cancelInvitation(deps, call),
  getInvitation: (call) => getInvitation(deps, call),
  listInvitations: (call) => listInvitations(deps, call),
  listUserInvitations: (call) => listUserInvitations(deps, call),
  createTeam: (call) => createTeam(deps, call),
  listTeams: (call) => listTeams(deps, call),
  updateTeam: (call) => updateTeam(deps, call),
  removeTeam: (call) => removeTeam(deps, call),
  adminListOrganizations: (call) => adminListOrganizations(deps, call),
  adminListUserOrganizations: (call) => adminListUserOrganizations(deps, call),
  adminGetOrganization: (call) => adminGetOrganization(deps, call),
  adminListOrganizationMembers: (call) => adminListOrganizationMembers(deps, call),
  adminUpdateOrganization: (call) => adminUpdateOrganization(deps, call),
  adminDeleteOrganization: (call) => adminDeleteOrganization(deps, call),
  adminAddMember: (call) => adminAddMember(deps, call),
  adminSetMemberRole: (call) => adminSetMemberRole(deps, call),
  adminRemoveMember: (call) => adminRemoveMember(deps, call),
  adminCancelInvitation: (call) => adminCancelInvitation(deps, call),
  adminResendInvitation: (call) => adminResendInvitation(deps, call),
  adminListOrganizationAudit: (call) => listAudit({ ...deps, schema }, call),
});

/** Checks on the raw body that come before its schema. */
export const createFirstChecks = (): FirstChecks<typeof operations.organization> => ({
  createOrganization: async (_caller, sent) => checkRequiredFields(sent),
  createOrganizationFor: async (_caller, sent) => checkRequiredFields(sent),
});

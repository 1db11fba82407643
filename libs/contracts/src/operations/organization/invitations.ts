import { z } from "zod";
import { operation } from "../../operation.ts";
import { anyEmail } from "../../email-schemas.ts";
import { stepUps } from "../../step-up.ts";
import {
  id,
  invitationSchema,
  memberSchema,
  ofInvitationFields,
  ofMember,
  roleList,
} from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

/** The most teams of an invitation. */
const teamsMax = 100;

const oneInvitation = z.object({ invitationId: id });
const verificationRequired = "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";

/** Invitations to organizations. */
export const invitationOperations = operationGroup("Invitations", {
  inviteMember: operation({
    ...ofMember,
    name: "inviteMember",
    stepUp: stepUps.memberRole,
    method: "POST",
    path: "/organization/invite-member",
    summary: "Invites an email address to an organization, by mail.",
    refusesImpersonators: true,
    mailsOthers: true,
    body: z
      .looseObject({
        email: anyEmail,
        role: roleList,
        organizationId: id.optional(),
        resend: z.boolean().optional(),
        /** One team or several, all of which the invited person joins. */
        teamId: z.union([id, z.array(id).max(teamsMax)]).optional(),
      })
      .meta({ inputFieldsOf: "invitation" }),
    reply: invitationSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "INVALID_EMAIL",
      "FIELD_IS_REQUIRED",
      "ORGANIZATION_NOT_FOUND",
      "MEMBER_NOT_FOUND",
      "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE",
      "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
      "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION",
      "INVITATION_LIMIT_REACHED",
      "TEAM_NOT_FOUND",
      "TEAM_MEMBER_LIMIT_REACHED",
    ],
  }),
  resendInvitation: operation({
    ...ofMember,
    name: "resendInvitation",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/resend-invitation",
    summary: "Sends the mail of a pending invitation again and renews the invitation's lifetime.",
    refusesImpersonators: true,
    mailsOthers: true,
    body: oneInvitation,
    reply: invitationSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "INVITATION_NOT_FOUND",
      "MEMBER_NOT_FOUND",
      "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION",
      "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE",
      "INVITATION_LIMIT_REACHED",
    ],
  }),
  acceptInvitation: operation({
    ...ofMember,
    name: "acceptInvitation",
    stepUp: stepUps.ordinary,
    method: "POST",
    path: "/organization/accept-invitation",
    summary: "Accepts an invitation of the caller, who becomes a member.",
    body: oneInvitation,
    reply: z.object({ invitation: invitationSchema, member: memberSchema }),
    errors: [
      "INVITATION_NOT_FOUND",
      "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION",
      verificationRequired,
      "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION",
      "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED",
      "TEAM_MEMBER_LIMIT_REACHED",
      "FAILED_TO_RETRIEVE_INVITATION",
    ],
  }),
  rejectInvitation: operation({
    ...ofMember,
    name: "rejectInvitation",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/reject-invitation",
    summary: "Declines an invitation of the caller.",
    body: oneInvitation,
    reply: z.object({ invitation: invitationSchema, member: z.null() }),
    errors: [
      "OFFERED_INVITATION_NOT_FOUND",
      "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION",
      verificationRequired,
    ],
  }),
  cancelInvitation: operation({
    ...ofMember,
    name: "cancelInvitation",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/organization/cancel-invitation",
    summary: "Cancels an invitation, whatever its state.",
    body: oneInvitation,
    reply: invitationSchema,
    errors: [
      "TWO_FACTOR_REQUIRED",
      "INVITATION_NOT_FOUND",
      "MEMBER_NOT_FOUND",
      "YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION",
    ],
  }),
  getInvitation: operation({
    ...ofMember,
    name: "getInvitation",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-invitation",
    summary: "Shows a pending invitation to its recipient.",
    signedOut: "NOT_AUTHENTICATED",
    query: z.object({ id }),
    reply: invitationSchema
      .extend({
        organizationName: z.string(),
        organizationSlug: z.string(),
        inviterEmail: z.string(),
      })
      .meta(ofInvitationFields),
    errors: [
      "OFFERED_INVITATION_NOT_FOUND",
      "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION",
      verificationRequired,
      "INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION",
    ],
    repeatable: true,
  }),
  openInvitation: operation({
    ...ofMember,
    name: "openInvitation",
    stepUp: stepUps.noSession,
    access: "anyone",
    method: "GET",
    path: "/organization/open-invitation",
    summary: "Shows a pending invitation to a reader of its mail, who may not be signed in yet.",
    query: z.object({ id }),
    reply: invitationSchema
      .pick({ email: true, role: true, expiresAt: true })
      .extend({ organizationName: z.string(), inviterEmail: z.string() }),
    errors: ["OFFERED_INVITATION_NOT_FOUND", "INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION"],
    repeatable: true,
  }),
  listInvitations: operation({
    ...ofMember,
    name: "listInvitations",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-invitations",
    summary: "Lists the invitations of an organization, whatever their state.",
    signedOut: "NOT_AUTHENTICATED",
    query: z.object({ organizationId: id.optional() }),
    reply: z.array(invitationSchema),
    errors: [
      "TWO_FACTOR_REQUIRED",
      "ORGANIZATION_ID_IS_REQUIRED",
      "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION",
    ],
    repeatable: true,
    sharesCalls: true,
  }),
  listUserInvitations: operation({
    ...ofMember,
    name: "listUserInvitations",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-user-invitations",
    summary: "Lists the pending invitations to the caller's address.",
    reply: z.array(
      invitationSchema
        .extend({ organizationName: z.string(), organizationSlug: z.string() })
        .meta(ofInvitationFields),
    ),
    errors: [verificationRequired],
    repeatable: true,
    sharesCalls: true,
  }),
});

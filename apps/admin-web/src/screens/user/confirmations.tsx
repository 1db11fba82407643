import { useNavigate } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import type { User } from "./use-user.ts";

const { identity } = operations;

export interface UserDialogProps {
  user: User;
  onClose: () => void;
}

export const SendReset = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminSendPasswordReset}
    input={{ params: { id: user.id } }}
    title="Send password reset?"
    action="Send email"
    done={`Email sent to ${user.email}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{user.email}</bdi> gets a link to choose a new password. The current password works until
    then.
  </Confirm>
);

export const SendVerification = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminSendVerification}
    input={{ params: { id: user.id } }}
    title="Resend verification?"
    action="Send email"
    done={`Email sent to ${user.email}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{user.email}</bdi> gets a link to verify the email.
  </Confirm>
);

export const ResendInvitation = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminResendUserInvitation}
    input={{ params: { id: user.id } }}
    title="Resend invitation?"
    action="Send email"
    done={`Invitation resent to ${user.email}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{user.email}</bdi> gets a new link to choose a password. Links sent before stop working.
  </Confirm>
);

export const ResetSecondFactor = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminResetTwoFactor}
    input={{ body: { userId: user.id } }}
    title="Reset second factor?"
    action="Reset second factor"
    done={`Second factor of ${user.email} reset. All their sessions ended.`}
    onClose={onClose}
  >
    The authenticator app, the backup codes and the trusted devices of <bdi>{user.email}</bdi> stop
    working, and all their sessions end. The user gets an email and can sign in without a second
    factor. Confirm the user's identity another way first.
  </Confirm>
);

export const VerifyAddress = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminVerifyUserEmail}
    input={{ params: { id: user.id } }}
    title="Mark email as verified?"
    action="Mark as verified"
    done={`${user.email} marked as verified.`}
    isHarmless
    onClose={onClose}
  >
    From then on <bdi>{user.email}</bdi> counts as theirs, without their opening an email. Do so
    only where you know that it is.
  </Confirm>
);

export const SignOut = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminRevokeUserSessions}
    input={{ body: { userId: user.id } }}
    title="Sign out everywhere?"
    action="End all sessions"
    done={`All sessions of ${user.email} ended.`}
    onClose={onClose}
  >
    All sessions of <bdi>{user.email}</bdi> end on every device. The user can sign in again.
  </Confirm>
);

export const LiftBan = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminUnbanUser}
    input={{ body: { userId: user.id } }}
    title="Unban user?"
    action="Unban"
    done={`${user.email} unbanned.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{user.email}</bdi> can sign in again. Only the audit log keeps the reason for the ban.
  </Confirm>
);

export const DeleteUser = ({ user, onClose }: UserDialogProps) => {
  const navigate = useNavigate();
  return (
    <Confirm
      operation={identity.adminRemoveUser}
      input={{ body: { userId: user.id } }}
      title="Delete user?"
      action="Delete user"
      typed={user.email}
      done={`${user.email} deleted.`}
      onClose={onClose}
      onDone={() => navigate({ to: "/users", replace: true })}
    >
      <bdi>{user.email}</bdi> is permanently deleted with their sessions, accounts, memberships, and
      API keys. This cannot be undone.
    </Confirm>
  );
};

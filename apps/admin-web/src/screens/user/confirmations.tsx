import { showEmail } from "@latchkey/contracts/email-address.ts";
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
    done={`Email sent to ${showEmail(user.email)}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{showEmail(user.email)}</bdi> gets a link to choose a new password. A current password
    works until then. Sending the email ends no session and no API key.
  </Confirm>
);

export const SendVerification = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminSendVerification}
    input={{ params: { id: user.id } }}
    title="Resend verification?"
    action="Send email"
    done={`Email sent to ${showEmail(user.email)}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{showEmail(user.email)}</bdi> gets a link to verify the email.
  </Confirm>
);

export const ResendInvitation = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminResendUserInvitation}
    input={{ params: { id: user.id } }}
    title="Resend invitation?"
    action="Send email"
    done={`Invitation resent to ${showEmail(user.email)}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{showEmail(user.email)}</bdi> gets a new link to choose a password. Links sent before stop
    working.
  </Confirm>
);

export const ResetSecondFactor = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminResetTwoFactor}
    input={{ body: { userId: user.id } }}
    title="Reset second factor?"
    action="Reset second factor"
    done={`Second factor of ${showEmail(user.email)} reset. All their sessions ended.`}
    onClose={onClose}
  >
    The authenticator app, the backup codes and the trusted devices of{" "}
    <bdi>{showEmail(user.email)}</bdi> stop working, and all their sessions end. Their API keys keep
    working. The user gets an email and can sign in without a second factor. Confirm the user's
    identity another way first.
  </Confirm>
);

export const VerifyAddress = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminVerifyUserEmail}
    input={{ params: { id: user.id } }}
    title="Mark email as verified?"
    action="Mark as verified"
    done={`${showEmail(user.email)} marked as verified.`}
    isHarmless
    onClose={onClose}
  >
    From then on <bdi>{showEmail(user.email)}</bdi> counts as verified, without an email. This does
    not prove who set the password. If the owner of the email signs in by a mailed link or code, or
    by a provider, earlier sign-in methods are still removed.
  </Confirm>
);

export const SignOut = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminRevokeUserSessions}
    input={{ body: { userId: user.id } }}
    title="Sign out everywhere?"
    action="End all sessions"
    done={`All sessions of ${showEmail(user.email)} ended.`}
    onClose={onClose}
  >
    All sessions of <bdi>{showEmail(user.email)}</bdi> end on every device. The user can sign in
    again. Their API keys keep working. The tab Access lists them.
  </Confirm>
);

export const LiftBan = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminUnbanUser}
    input={{ body: { userId: user.id } }}
    title="Unban user?"
    action="Unban"
    done={`${showEmail(user.email)} unbanned.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{showEmail(user.email)}</bdi> can sign in again, and their API keys work again. Only the
    audit log keeps the reason for the ban.
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
      typed={showEmail(user.email)}
      done={`${showEmail(user.email)} deleted.`}
      onClose={onClose}
      onDone={() => navigate({ to: "/users", replace: true })}
    >
      <bdi>{showEmail(user.email)}</bdi> is permanently deleted with their sessions, accounts,
      memberships, and API keys. This cannot be undone.
    </Confirm>
  );
};

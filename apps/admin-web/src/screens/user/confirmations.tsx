import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { accessQuery } from "../../access/access-query.ts";
import { operations } from "../../api/contracts.ts";
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
    title="Send a password reset?"
    action="Send the mail"
    done={`The mail is on its way to ${user.email}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{user.email}</bdi> is mailed a link to choose a new password. The present one goes on
    working until then.
  </Confirm>
);

export const SendVerification = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminSendVerification}
    input={{ params: { id: user.id } }}
    title="Resend the verification?"
    action="Send the email"
    done={`The email is on its way to ${user.email}.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{user.email}</bdi> gets a link to verify the address.
  </Confirm>
);

export const ResetSecondFactor = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminResetTwoFactor}
    input={{ body: { userId: user.id } }}
    title="Reset the second factor?"
    action="Reset second factor"
    done={`${user.email} has no second factor now, and is signed out everywhere.`}
    onClose={onClose}
  >
    The authenticator app, the backup codes and the trusted devices of <bdi>{user.email}</bdi> stop
    working, and all their sessions end. They get a mail, and can sign in without a second factor.
    Make sure by another way that it is they who ask for it.
  </Confirm>
);

export const VerifyAddress = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminVerifyUserEmail}
    input={{ params: { id: user.id } }}
    title="Mark the address as verified?"
    action="Mark as verified"
    done={`${user.email} counts as verified.`}
    isHarmless
    onClose={onClose}
  >
    From then on <bdi>{user.email}</bdi> counts as theirs, without their opening a mail. Do so only
    where you know that it is.
  </Confirm>
);

export const SignOut = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminRevokeUserSessions}
    input={{ body: { userId: user.id } }}
    title="Sign out everywhere?"
    action="End all sessions"
    done={`All sessions of ${user.email} are ended.`}
    onClose={onClose}
  >
    All sessions of <bdi>{user.email}</bdi> end, on every device. They may sign in again.
  </Confirm>
);

export const LiftBan = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminUnbanUser}
    input={{ body: { userId: user.id } }}
    title="Lift the ban?"
    action="Lift the ban"
    done={`${user.email} may sign in again.`}
    isHarmless
    onClose={onClose}
  >
    <bdi>{user.email}</bdi> may sign in again. The reason of the ban is forgotten here; the audit
    log keeps it.
  </Confirm>
);

export const Impersonate = ({ user, onClose }: UserDialogProps) => {
  const client = useQueryClient();
  return (
    <Confirm
      operation={identity.adminImpersonateUser}
      input={{ body: { userId: user.id } }}
      title="Impersonate this user?"
      action="Impersonate"
      done={`You are signed in as ${user.email}.`}
      onClose={onClose}
      onDone={async () => {
        await client.fetchQuery({ ...accessQuery, staleTime: 0 });
      }}
    >
      For an hour at most this browser is signed in as <bdi>{user.email}</bdi>, in your application
      too. What you do is recorded under your own name as well. A bar over the page leads back to
      your own account.
    </Confirm>
  );
};

export const DeleteUser = ({ user, onClose }: UserDialogProps) => {
  const navigate = useNavigate();
  return (
    <Confirm
      operation={identity.adminRemoveUser}
      input={{ body: { userId: user.id } }}
      title="Delete this user?"
      action="Delete user"
      typed={user.email}
      done={`${user.email} is deleted.`}
      onClose={onClose}
      onDone={() => navigate({ to: "/users", replace: true })}
    >
      <bdi>{user.email}</bdi> is deleted for good, with their sessions, accounts, memberships and
      API keys. This cannot be undone.
    </Confirm>
  );
};

import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useNavigate } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Confirm } from "../../components/confirm.tsx";
import type { User } from "./use-user.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const { identity } = operations;

export interface UserDialogProps {
  user: User;
  onClose: () => void;
}

export const SendReset = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminSendPasswordReset}
    input={{ params: { id: user.id } }}
    title={t("userActions.reset.title")}
    action={t("common.sendEmail")}
    done={t("common.emailSent", { email: showEmail(user.email) })}
    isHarmless
    onClose={onClose}
  >
    {richText("userActions.reset.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </Confirm>
);

export const SendVerification = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminSendVerification}
    input={{ params: { id: user.id } }}
    title={t("userActions.sendVerification.title")}
    action={t("common.sendEmail")}
    done={t("common.emailSent", { email: showEmail(user.email) })}
    isHarmless
    onClose={onClose}
  >
    {richText("userActions.sendVerification.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </Confirm>
);

export const ResendInvitation = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminResendUserInvitation}
    input={{ params: { id: user.id } }}
    title={t("userActions.resendInvitation.title")}
    action={t("common.sendEmail")}
    done={t("userActions.resendInvitation.done", { email: showEmail(user.email) })}
    isHarmless
    onClose={onClose}
  >
    {richText("userActions.resendInvitation.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </Confirm>
);

export const ResetSecondFactor = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminResetTwoFactor}
    input={{ body: { userId: user.id } }}
    title={t("userActions.resetSecondFactor.title")}
    action={t("userActions.resetSecondFactor.action")}
    done={t("userActions.resetSecondFactor.done", { email: showEmail(user.email) })}
    onClose={onClose}
  >
    {richText("userActions.resetSecondFactor.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </Confirm>
);

export const VerifyAddress = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminVerifyUserEmail}
    input={{ params: { id: user.id } }}
    title={t("userActions.verify.title")}
    action={t("verification.verified")}
    done={t("userActions.verify.done", { email: showEmail(user.email) })}
    isHarmless
    onClose={onClose}
  >
    {richText("userActions.verify.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </Confirm>
);

export const SignOut = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminRevokeUserSessions}
    input={{ body: { userId: user.id } }}
    title={t("userActions.signOut.title")}
    action={t("userActions.signOut.action")}
    done={t("userActions.signOut.done", { email: showEmail(user.email) })}
    onClose={onClose}
  >
    {richText("userActions.signOut.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </Confirm>
);

export const LiftBan = ({ user, onClose }: UserDialogProps) => (
  <Confirm
    operation={identity.adminUnbanUser}
    input={{ body: { userId: user.id } }}
    title={t("userActions.unban.title")}
    action={t("users.bulk.unban")}
    done={t("userActions.unban.done", { email: showEmail(user.email) })}
    isHarmless
    onClose={onClose}
  >
    {richText("userActions.unban.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
  </Confirm>
);

export const DeleteUser = ({ user, onClose }: UserDialogProps) => {
  const navigate = useNavigate();
  return (
    <Confirm
      operation={identity.adminRemoveUser}
      input={{ body: { userId: user.id } }}
      title={t("userActions.delete.title")}
      action={t("userActions.delete.action")}
      typed={showEmail(user.email)}
      done={t("userActions.delete.done", { email: showEmail(user.email) })}
      onClose={onClose}
      onDone={() => navigate({ to: "/users", replace: true })}
    >
      {richText("userActions.delete.text", { email: <bdi>{showEmail(user.email)}</bdi> })}
    </Confirm>
  );
};

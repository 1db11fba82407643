import { type ComponentType, useState } from "react";
import { showEmail } from "@latchkey/contracts/email-address.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { zodResolver } from "@hookform/resolvers/zod";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import {
  DeleteUser,
  LiftBan,
  ResendInvitation,
  ResetSecondFactor,
  SendReset,
  SendVerification,
  SignOut,
  type UserDialogProps,
  VerifyAddress,
} from "./confirmations.tsx";
import { Impersonate } from "./impersonate.tsx";
import { SecureUser } from "./secure-user.tsx";
import type { UserAction } from "../../components/users/user-actions.ts";
import { discardDraft } from "../../components/kept/use-draft.ts";
import { BanForm } from "../../components/users/ban-form.tsx";
import { ChangeRoles } from "../../components/roles/change-roles.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Confirm } from "../../components/confirm.tsx";
import { useOption } from "../../components/use-option.ts";
import { PasswordField } from "../../components/users/password-field.tsx";
import { useUser } from "./use-user.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const passwordForm = z.object({
  newPassword: z.string().min(1, t("users.password.enter")),
});

interface SetPasswordFormProps extends UserDialogProps {
  /** The user had no password to replace. */
  onUnchanged: () => void;
}

const SetPasswordForm = ({ user, onClose, onUnchanged }: SetPasswordFormProps) => {
  const change = useOperation(operations.identity.adminSetUserPassword, {
    showsError: true,
    done: ({ changed }) =>
      changed === false ? "" : t("userActions.password.done", { email: showEmail(user.email) }),
    // The dialog offers a link if the user turns out to have no password.
    onDone: ({ changed }) => (changed === false ? onUnchanged() : onClose()),
  });
  const form = useForm({
    resolver: zodResolver(passwordForm),
    defaultValues: { newPassword: "" },
    change,
    onSubmit: (given) => change.mutate({ body: { userId: user.id, ...given } }),
  });
  return (
    <DialogForm form={form} action={t("userActions.password.title")} isDangerous onClose={onClose}>
      <PasswordField
        label={t("userActions.password.field")}
        value={form.watch("newPassword")}
        onMake={(made) => form.setValue("newPassword", made, { shouldValidate: true })}
        field={form.field("newPassword")}
      />
    </DialogForm>
  );
};

/** Sets a user's password. A user who has none gets a link instead, because an admin must not add a way to sign in. */
const SetPassword = (props: UserDialogProps) => {
  const { user, onClose } = props;
  const { data } = useUser(user.id);
  const sendsResets = useOption("emailAndPassword.resetPassword.enabled") !== false;
  const endsKeys = useOption("apiKey.enableSessionForAPIKeys") !== false;
  const [isUnchanged, setIsUnchanged] = useState(false);
  const email = <bdi className="break-words">{showEmail(user.email)}</bdi>;
  if (isUnchanged || data?.hasPassword === false)
    return sendsResets ? (
      <Confirm
        operation={operations.identity.adminSendPasswordReset}
        input={{ params: { id: user.id } }}
        title={t("userActions.password.sendLink")}
        action={t("common.sendEmail")}
        done={t("common.emailSent", { email: showEmail(user.email) })}
        isHarmless
        onClose={onClose}
      >
        {richText("userActions.password.sendLinkText", { email })}
      </Confirm>
    ) : (
      <Dialog
        title={t("userActions.password.none")}
        description={richText("userActions.password.noneText", { email })}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
      >
        <div className="flex justify-end">
          <Button onClick={onClose}>{t("ui.close")}</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title={t("userActions.password.title")}
      description={
        <>
          {richText("userActions.password.text", { email })}{" "}
          {endsKeys ? t("userActions.password.endsKeys") : t("userActions.password.keepsKeys")}{" "}
          {t("userActions.password.otherWay")}
        </>
      }
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <SetPasswordForm {...props} onUnchanged={() => setIsUnchanged(true)} />
    </Dialog>
  );
};

const ChangeUserRoles = ({ user, onClose }: UserDialogProps) => {
  const role = user.role ?? "";
  return (
    <ChangeRoles
      operation={operations.identity.adminSetRole}
      inputOf={(roles) => ({ body: { userId: user.id, role: roles } })}
      email={user.email}
      role={role}
      roleNames={useRoleNames("admin.roles", [role])}
      description={richText("userActions.roles.text", {
        email: <bdi className="break-words">{showEmail(user.email)}</bdi>,
      })}
      onClose={onClose}
    />
  );
};

const draftOf = ({ id }: UserDialogProps["user"]): string => `ban-user.${id}`;

/** Bans a user temporarily or permanently. */
const BanUser = ({ user, onClose }: UserDialogProps) => {
  const close = () => {
    discardDraft(draftOf(user));
    onClose();
  };
  const ban = useOperation(operations.identity.adminBanUser, {
    showsError: true,
    done: t("userActions.ban.done", { email: showEmail(user.email) }),
    onDone: close,
  });
  return (
    <Dialog
      title={t("userActions.ban.title")}
      description={richText("userActions.ban.text", {
        email: <bdi className="break-words">{showEmail(user.email)}</bdi>,
      })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
    >
      <BanForm
        action={t("userActions.ban.title")}
        change={ban}
        onSubmit={(terms) => ban.mutate({ body: { userId: user.id, ...terms } })}
        onCancel={close}
        draft={draftOf(user)}
      />
    </Dialog>
  );
};

const dialogs: Record<UserAction, ComponentType<UserDialogProps>> = {
  impersonate: Impersonate,
  roles: ChangeUserRoles,
  password: SetPassword,
  reset: SendReset,
  "reset-second-factor": ResetSecondFactor,
  "send-verification": SendVerification,
  "resend-invitation": ResendInvitation,
  verify: VerifyAddress,
  "sign-out": SignOut,
  secure: SecureUser,
  ban: BanUser,
  unban: LiftBan,
  delete: DeleteUser,
};

interface UserDialogChoice {
  action: UserAction;
  user: UserDialogProps["user"];
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Renders the dialog of an action. */
export const UserDialog = ({ action, user, onOpenChange }: UserDialogChoice) => {
  const Chosen = dialogs[action];
  return <Chosen user={user} onClose={() => onOpenChange(false)} />;
};

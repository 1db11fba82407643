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

const passwordForm = z.object({
  newPassword: z.string().min(1, "Enter or generate a password."),
});

interface SetPasswordFormProps extends UserDialogProps {
  /** The user had no password to replace. */
  onUnchanged: () => void;
}

const SetPasswordForm = ({ user, onClose, onUnchanged }: SetPasswordFormProps) => {
  const change = useOperation(operations.identity.adminSetUserPassword, {
    showsError: true,
    done: ({ changed }) =>
      changed === false
        ? ""
        : `Password of ${showEmail(user.email)} set. All their sessions ended.`,
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
    <DialogForm form={form} action="Set password" isDangerous onClose={onClose}>
      <PasswordField
        label="New password"
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
        title="Send a link to choose a password?"
        action="Send email"
        done={`Email sent to ${showEmail(user.email)}.`}
        isHarmless
        onClose={onClose}
      >
        {email} has no password that you could replace. The link lets the user choose one.
      </Confirm>
    ) : (
      <Dialog
        title="No password to replace"
        description={
          <>{email} has no password, and password resets are off. The user signs in another way.</>
        }
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
      >
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title="Set password"
      description={
        <>
          The password of {email} is replaced, and all their sessions end.{" "}
          {endsKeys
            ? "API keys that can act as a session are deleted, and their other API keys keep working."
            : "Their API keys keep working."}{" "}
          If the user can read their email, send a password reset instead.
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
      description={
        <>
          What <bdi className="break-words">{showEmail(user.email)}</bdi> may do changes at once, in
          the sessions that they have, too.
        </>
      }
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
    done: `${showEmail(user.email)} banned and signed out everywhere.`,
    onDone: close,
  });
  return (
    <Dialog
      title="Ban user"
      description={
        <>
          <bdi className="break-words">{showEmail(user.email)}</bdi> is signed out everywhere and
          cannot sign in until the ban ends or you unban them. Until then, their API keys are
          refused, too.
        </>
      }
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
    >
      <BanForm
        action="Ban user"
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

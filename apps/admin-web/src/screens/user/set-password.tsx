import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { PasswordField } from "../../components/users/password-field.tsx";
import type { UserDialogProps } from "./confirmations.tsx";

const passwordForm = z.object({
  newPassword: z.string().min(1, "Enter or generate a password."),
});

const aboutPassword = {
  PASSWORD_TOO_SHORT: "newPassword",
  PASSWORD_TOO_LONG: "newPassword",
} as const;

const SetPasswordForm = ({ user, onClose }: UserDialogProps) => {
  const { register, handleSubmit, formState, setValue, control } = useForm({
    resolver: zodResolver(passwordForm),
    defaultValues: { newPassword: "" },
  });
  const change = useOperation(operations.identity.adminSetUserPassword, {
    showsError: true,
    done: `Password of ${user.email} set. All their sessions ended.`,
    onDone: onClose,
  });
  const newPassword = useWatch({ control, name: "newPassword" });
  const faults = faultsOf(change.error, ["newPassword"], aboutPassword);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) =>
        void handleSubmit((given) => change.mutate({ body: { userId: user.id, ...given } }))(event)
      }
    >
      <PasswordField
        label="New password"
        value={newPassword}
        onMake={(made) => setValue("newPassword", made, { shouldValidate: true })}
        error={formState.errors.newPassword?.message ?? faults.newPassword}
        control={register("newPassword")}
      />
      {change.error && !faults.newPassword && <FormError error={change.error} />}
      <DialogButtons
        action="Set password"
        isDangerous
        isBusy={change.isPending}
        onCancel={onClose}
      />
    </form>
  );
};

/** Sets a user's password. */
export const SetPassword = (props: UserDialogProps) => (
  <Dialog
    title="Set password"
    description={
      <>
        The password of <bdi className="break-words">{props.user.email}</bdi> is replaced, and all
        their sessions end. If the user can read their email, send a password reset instead.
      </>
    }
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <SetPasswordForm {...props} />
  </Dialog>
);

import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { addPasskey } from "@latchkey/ui/passkeys/ceremonies.ts";
import { useForm, type UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { useDeviceName } from "../../components/account/use-device-name.ts";
import { useReread } from "../../components/account/use-reread.ts";
import { TextField } from "../../components/fields.tsx";

const { deletePasskey, updatePasskey } = operations.identity;

export type Passkey = CallReply<typeof operations.identity.listUserPasskeys>[number];

interface PasskeyDialogProps {
  passkey: Passkey;
  onClose: () => void;
}

const nameLengthMax = 64;

const NameField = ({ register, formState }: UseFormReturn<{ name: string }>) => {
  const { t } = useTranslation(["security", "errors"]);
  return (
    <TextField
      {...register("name", { validate: (text) => text.trim() !== "" || t("errors:required") })}
      label={t("passkeys.name")}
      hint={t("passkeys.nameHint")}
      error={formState.errors.name?.message}
      maxLength={nameLengthMax}
      autoComplete="off"
      dir="auto"
    />
  );
};

/** Adds a passkey. The dialog stays open if the user cancels in the browser. */
export const AddPasskey = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation("security");
  const reread = useReread();
  const form = useForm({ defaultValues: { name: useDeviceName()(navigator.userAgent) } });
  const add = useChange({
    mutationFn: addPasskey,
    onSuccess: async (passkey) => {
      if (!passkey) return;
      toasts.add({ title: t("passkeys.done"), type: "success" });
      onClose();
      await reread();
    },
  });
  return (
    <FormDialog
      title={t("passkeys.addOne")}
      description={t("passkeys.addText")}
      action={t("passkeys.addAction")}
      change={add}
      onSubmit={form.handleSubmit(({ name }) => add.mutate(name.trim()))}
      onClose={onClose}
    >
      <NameField {...form} />
    </FormDialog>
  );
};

export const RenamePasskey = ({ passkey: { id, name }, onClose }: PasskeyDialogProps) => {
  const { t } = useTranslation("security");
  const form = useForm({ defaultValues: { name: name ?? "" } });
  const rename = useAct(updatePasskey, { done: t("passkeys.renamed"), onDone: onClose });
  return (
    <FormDialog
      title={t("passkeys.renameTitle")}
      action={t("passkeys.rename")}
      change={rename}
      onSubmit={form.handleSubmit((given) =>
        rename.mutate({ body: { id, name: given.name.trim() } }),
      )}
      onClose={onClose}
    >
      <NameField {...form} />
    </FormDialog>
  );
};

export const DeletePasskey = ({ passkey: { id, name }, onClose }: PasskeyDialogProps) => {
  const { t } = useTranslation("security");
  const remove = useAct(deletePasskey, { done: t("passkeys.deleted"), onDone: onClose });
  return (
    <FormDialog
      title={t("passkeys.deleteTitle", { name: name || t("passkeys.unnamed") })}
      description={t("passkeys.deleteText")}
      action={t("passkeys.delete")}
      isDangerous
      change={remove}
      onSubmit={() => remove.mutate({ body: { id } })}
      onClose={onClose}
    />
  );
};

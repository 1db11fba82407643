import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { useQuery } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { useState } from "react";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { useChange } from "@latchkey/ui/api/use-change.ts";
import { toasts } from "@latchkey/ui/components/toasts.ts";
import { addPasskey } from "@latchkey/ui/passkeys/ceremonies.ts";
import { type FormOf, notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation, useReread } from "@latchkey/ui/api/use-operation.ts";
import { Ago } from "../../components/account/ago.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Panel } from "../../components/account/panel.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import { useTranslation } from "../../languages.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { useDeviceName } from "../../components/account/use-device-name.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";

const { deletePasskey, updatePasskey } = operations.identity;

type Passkey = CallReply<typeof operations.identity.listUserPasskeys>[number];

interface PasskeyDialogProps {
  passkey: Passkey;
  onClose: () => void;
}

const nameLengthMax = 64;

const NameField = ({ field }: Pick<FormOf<{ name: string }>, "field">) => {
  const t = useTranslation("security");
  return (
    <TextField
      {...field("name", { validate: notBlank(t("errors:required")) })}
      label={t("passkeys.name")}
      hint={t("passkeys.nameHint")}
      maxLength={nameLengthMax}
      autoComplete="off"
      dir="auto"
    />
  );
};

/** Adds a passkey. The dialog stays open if the user cancels in the browser. */
const AddPasskey = ({ onClose }: { onClose: () => void }) => {
  const t = useTranslation("security");
  const reread = useReread();
  const deviceName = useDeviceName();
  const add = useChange({
    mutationFn: addPasskey,
    onSuccess: async (passkey) => {
      if (!passkey) return;
      toasts.add({ title: t("passkeys.done"), type: "success" });
      onClose();
      await reread();
    },
  });
  const form = useForm({
    defaultValues: { name: deviceName(navigator.userAgent) },
    change: add,
    onSubmit: ({ name }) => add.mutate(name.trim()),
  });
  return (
    <FormDialog
      form={form}
      title={t("passkeys.addOne")}
      description={t("passkeys.addText")}
      action={t("passkeys.addAction")}
      onClose={onClose}
    >
      <NameField field={form.field} />
    </FormDialog>
  );
};

const RenamePasskey = ({ passkey: { id, name }, onClose }: PasskeyDialogProps) => {
  const t = useTranslation("security");
  const rename = useOperation(updatePasskey, { done: t("passkeys.renamed"), onDone: onClose });
  const form = useForm({
    defaultValues: { name: name ?? "" },
    change: rename,
    onSubmit: (given) => rename.mutate({ body: { id, name: given.name.trim() } }),
  });
  return (
    <FormDialog
      form={form}
      title={t("passkeys.renameTitle")}
      action={t("passkeys.rename")}
      onClose={onClose}
    >
      <NameField field={form.field} />
    </FormDialog>
  );
};

const DeletePasskey = ({ passkey: { id, name }, onClose }: PasskeyDialogProps) => {
  const t = useTranslation("security");
  const remove = useOperation(deletePasskey, { done: t("passkeys.deleted"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("passkeys.deleteTitle", { name: name || t("passkeys.unnamed") })}
      description={t("passkeys.deleteText")}
      action={t("passkeys.delete")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { id } })}
      onClose={onClose}
    />
  );
};

interface OpenDialog {
  Dialog: typeof RenamePasskey;
  passkey: Passkey;
}

interface PasskeyRowProps {
  passkey: Passkey;
  onOpen: (open: OpenDialog) => void;
}

const PasskeyRow = ({ passkey, onOpen }: PasskeyRowProps) => {
  const t = useTranslation("security");
  const name = passkey.name || t("passkeys.unnamed");
  return (
    <Row
      mark={<Fingerprint className="size-5 shrink-0 text-muted" />}
      title={<bdi>{name}</bdi>}
      details={
        passkey.lastUsedAt ? (
          <>
            {t("passkeys.lastUsed")} <Ago at={passkey.lastUsedAt} />
          </>
        ) : (
          <>
            {t("passkeys.added")} <Moment at={passkey.createdAt} isDay />
          </>
        )
      }
      actions={
        <RowMenu name={name}>
          <MenuItem onSelect={() => onOpen({ Dialog: RenamePasskey, passkey })}>
            {t("passkeys.rename")}
          </MenuItem>
          <MenuItem isDangerous onSelect={() => onOpen({ Dialog: DeletePasskey, passkey })}>
            {t("passkeys.delete")}
          </MenuItem>
        </RowMenu>
      }
    />
  );
};

/** The passkeys of the user. */
export const Passkeys = () => {
  const t = useTranslation("security");
  const passkeys = useQuery(operationQuery(operations.identity.listUserPasskeys, {}));
  const [isAdding, setIsAdding] = useState(false);
  const [open, setOpen] = useState<OpenDialog>();
  return (
    <Panel
      title={t("passkeys.title")}
      text={t("passkeys.text")}
      actions={
        offersPasskeys && <Button onClick={() => setIsAdding(true)}>{t("passkeys.addOne")}</Button>
      }
    >
      <Reading of={passkeys}>
        {(list) =>
          list.length > 0 && (
            <Rows label={t("passkeys.title")}>
              {list.map((passkey) => (
                <PasskeyRow key={passkey.id} passkey={passkey} onOpen={setOpen} />
              ))}
            </Rows>
          )
        }
      </Reading>
      {!offersPasskeys && <p className="text-muted">{t("passkeys.unusable")}</p>}
      {isAdding && <AddPasskey onClose={() => setIsAdding(false)} />}
      {open && <open.Dialog passkey={open.passkey} onClose={() => setOpen(undefined)} />}
    </Panel>
  );
};

import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import {
  type KeyFieldsProps,
  KeyTextField,
  LimitFields,
  MetadataField,
  PermissionsField,
} from "../../components/api-keys/key-fields.tsx";
import { editedKeyForm, keyFieldOf, type KeyForm } from "../../components/api-keys/key-form.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { discardDraft, useDraft, useDraftState } from "../../components/kept/use-draft.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useOption } from "../../components/use-option.ts";
import { changeOfKey, type ExpiryChange, formOfKey } from "./edit-key-form.ts";
import { t } from "../../texts.ts";

interface EditKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

const expiries = [
  { value: "keep", label: t("apiKey.edit.keepExpiry") },
  { value: "days", label: t("apiKey.edit.expiresInDays") },
  { value: "never", label: t("apiKey.edit.never") },
] as const;

interface ExpiryFieldsProps extends KeyFieldsProps {
  expiry: ExpiryChange;
  onChange: (expiry: ExpiryChange) => void;
}

const ExpiryFields = ({ expiry, onChange, ...props }: ExpiryFieldsProps) => (
  <div className="flex items-start gap-3">
    <Field
      label={t("apiKey.edit.expiry")}
      className="min-w-0 flex-1"
      error={expiry === "days" ? undefined : props.form.errorOf("expiresInDays")}
    >
      <Select choices={expiries} value={expiry} onChange={onChange} />
    </Field>
    {expiry === "days" && (
      <KeyTextField {...props} name="expiresInDays" label={t("apiKeys.expiresInDays")} />
    )}
  </div>
);

const draftOf = ({ id }: ApiKey): string => `api-key.${id}`;
/** The choice of the expiry is no field of the form. */
const expiryDraftOf = (apiKey: ApiKey): string => `${draftOf(apiKey)}.expiry`;
const noChoice: { expiry: ExpiryChange } = { expiry: "keep" };

const useEditForm = ({ apiKey, onClose }: EditKeyProps) => {
  // The values when editing began, so that the form sends only what the admin changes.
  const [before] = useState(() => formOfKey(apiKey));
  const [{ expiry }, setChoice] = useDraftState(expiryDraftOf(apiKey), noChoice);
  const update = useOperation(operations.apikey.adminUpdateApiKey, {
    showsError: true,
    done: t("apiKey.edit.done"),
    onDone: onClose,
  });
  const form = useForm<KeyForm>({
    resolver: zodResolver(editedKeyForm(before.permissions)),
    defaultValues: before,
    change: update,
    fieldOf: keyFieldOf,
    onSubmit: (given): unknown => {
      if (expiry === "days" && given.expiresInDays === "")
        return form.setError("expiresInDays", { message: t("apiKey.edit.enterDays") });
      const body = changeOfKey(given, before, expiry);
      if (Object.keys(body).length === 0) return onClose();
      return update.mutate({ params: { id: apiKey.id }, body });
    },
  });
  useDraft({ form, name: draftOf(apiKey), defaults: before });
  const setExpiry = (chosen: ExpiryChange) => setChoice({ expiry: chosen });
  return { form, expiry, setExpiry };
};

const EditKeyForm = (props: EditKeyProps) => {
  const { form, expiry, setExpiry } = useEditForm(props);
  const { may } = useAccess();
  // Without it the service accepts only the name and the metadata.
  const mayGivePower = may("apiKey:create");
  const isMetadataOn = useOption("apiKey.enableMetadata") === true;
  return (
    <DialogForm form={form} action={t("common.save")} onClose={props.onClose}>
      <KeyTextField form={form} name="name" label={t("common.name")} hint={t("apiKeys.nameHint")} />
      {mayGivePower && (
        <>
          <LimitFields form={form} hasDefault={false} />
          <ExpiryFields form={form} expiry={expiry} onChange={setExpiry} />
          <PermissionsField form={form} />
        </>
      )}
      {(isMetadataOn || props.apiKey.metadata !== null) && <MetadataField form={form} />}
    </DialogForm>
  );
};

/** Edits the name and the metadata of a key, and with the permission to create keys also its limits, expiry and permissions. */
export const EditKey = ({ apiKey, onClose }: EditKeyProps) => {
  const close = () => {
    discardDraft(draftOf(apiKey));
    discardDraft(expiryDraftOf(apiKey));
    onClose();
  };
  return (
    <Dialog
      title={t("apiKey.edit.title", { name: keyName(apiKey) })}
      description={t("apiKey.edit.text")}
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      className="max-w-2xl"
    >
      <EditKeyForm apiKey={apiKey} onClose={close} />
    </Dialog>
  );
};

import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import {
  type KeyFieldsProps,
  LimitFields,
  MetadataField,
  PermissionsField,
  TextField,
} from "../../components/api-keys/key-fields.tsx";
import { editedKeyForm, keyForm } from "../../components/api-keys/key-form.ts";
import { keyName } from "../../components/api-keys/key-name.ts";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { discardDraft, useDraft, useDraftState } from "../../components/kept/use-draft.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { useOption } from "../../components/use-option.ts";
import { changeOfKey, type ExpiryChange, formOfKey } from "./edit-key-form.ts";

interface EditKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

const names = keyForm.keyof().options;

/** The form field of error codes that name none. */
const byCode = {
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: "name",
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: "expiresInDays",
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: "expiresInDays",
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: "expiresInDays",
} as const;

const expiries = [
  { value: "keep", label: "Keep the current expiry" },
  { value: "days", label: "Expires in some days" },
  { value: "never", label: "Never expires" },
] as const;

interface ExpiryFieldsProps extends KeyFieldsProps {
  expiry: ExpiryChange;
  onChange: (expiry: ExpiryChange) => void;
}

const ExpiryFields = ({ expiry, onChange, ...props }: ExpiryFieldsProps) => (
  <div className="flex items-start gap-3">
    <Field
      label="Expiry"
      className="min-w-0 flex-1"
      error={expiry === "days" ? undefined : props.faults.expiresInDays}
    >
      <Select choices={expiries} value={expiry} onChange={onChange} />
    </Field>
    {expiry === "days" && <TextField {...props} name="expiresInDays" label="Expires in (days)" />}
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
  const form = useForm({
    resolver: zodResolver(editedKeyForm(before.permissions)),
    defaultValues: before,
  });
  useDraft({ form, name: draftOf(apiKey), defaults: before });
  const update = useOperation(operations.apikey.adminUpdateApiKey, {
    showsError: true,
    done: "Key saved.",
    onDone: onClose,
  });
  const save = form.handleSubmit((given) => {
    if (expiry === "days" && given.expiresInDays === "")
      return form.setError("expiresInDays", { message: "Enter the number of days." });
    const body = changeOfKey(given, before, expiry);
    if (Object.keys(body).length === 0) return onClose();
    return update.mutate({ params: { id: apiKey.id }, body });
  });
  const setExpiry = (chosen: ExpiryChange) => setChoice({ expiry: chosen });
  return { form, update, save, expiry, setExpiry };
};

const EditKeyForm = (props: EditKeyProps) => {
  const { form, update, save, expiry, setExpiry } = useEditForm(props);
  const { may } = useAccess();
  // Without it the service accepts only the name and the metadata.
  const mayGivePower = may("apiKey:create");
  const isMetadataOn = useOption("apiKey.enableMetadata") === true;
  const faults = faultsOf(update.error, names, byCode);
  const fields = { form, faults };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
      <TextField
        {...fields}
        name="name"
        label="Name"
        description="Shown in lists and in the audit log."
      />
      {mayGivePower && (
        <>
          <LimitFields {...fields} hasDefault={false} />
          <ExpiryFields {...fields} expiry={expiry} onChange={setExpiry} />
          <PermissionsField {...fields} />
        </>
      )}
      {(isMetadataOn || props.apiKey.metadata !== null) && <MetadataField {...fields} />}
      {update.error && Object.keys(faults).length === 0 && <FormError error={update.error} />}
      <DialogButtons action="Save" isBusy={update.isPending} onCancel={props.onClose} />
    </form>
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
      title={`Edit ${keyName(apiKey)}`}
      description="The changes apply from the next use."
      isOpen
      onOpenChange={(isOpen) => !isOpen && close()}
      className="max-w-2xl"
    >
      <EditKeyForm apiKey={apiKey} onClose={close} />
    </Dialog>
  );
};

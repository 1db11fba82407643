import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../../api/faults-of.ts";
import type { useOperation } from "../../../api/use-operation.ts";
import { useDraft } from "../../../components/kept/use-draft.ts";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { FormError } from "../../../components/errors/form-error.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import {
  type KeyFieldsProps,
  LimitFields,
  MetadataField,
  PermissionsField,
  TextField,
} from "../../../components/api-keys/key-fields.tsx";
import { emptyKeyForm, keyForm } from "../../../components/api-keys/key-form.ts";
import { useOption } from "../../../components/use-option.ts";
import { readOwner } from "../../../components/api-keys/owner-choice.ts";
import { OwnerPicker } from "../../../components/api-keys/owner-picker.tsx";
import { limitsInWords } from "../../../components/api-keys/limits-in-words.ts";
import { LimitsList } from "../../../components/api-keys/limits-list.tsx";
import { draftLimits } from "./draft-limits.ts";
import { keyBody } from "./key-body.ts";
import { useKeyDefaults } from "./use-key-defaults.ts";

interface CreateKeyFormProps {
  owner: Choice | null;
  create: ReturnType<typeof useOperation<typeof operations.apikey.adminCreateApiKey>>;
  onClose: () => void;
}

/** The name of the draft. It contains no key, because the server makes the key. */
export const keyDraft = "create-key";

const names = [...keyForm.keyof().options, "userId", "organizationId"] as const;

/** The form field of error codes that name none. */
const byCode = {
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: "name",
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: "prefix",
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: "expiresInDays",
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: "expiresInDays",
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: "expiresInDays",
  USER_NOT_FOUND: "userId",
  USER_IS_BANNED: "userId",
  ORGANIZATION_NOT_FOUND: "organizationId",
} as const;

const Preview = ({ form }: { form: ReturnType<typeof useWatch<typeof emptyKeyForm>> }) => {
  const defaults = useKeyDefaults();
  const now = useNow();
  const limits = draftLimits({ ...emptyKeyForm, ...form }, defaults, now);
  return (
    <section aria-label="Limits and permissions" className="rounded-md bg-sunken p-3">
      <h3 className="mb-2 font-medium">Limits and permissions</h3>
      <LimitsList words={limitsInWords(limits, now)} />
    </section>
  );
};

const NewKeyFields = (props: KeyFieldsProps) => {
  const hasMetadata = useOption("apiKey.enableMetadata") === true;
  return (
    <>
      <div className="flex items-start gap-3">
        <TextField
          {...props}
          name="name"
          label="Name"
          description="Shown in lists and in the audit log."
        />
        <TextField
          {...props}
          name="prefix"
          label="Prefix"
          description="The key starts with this text."
        />
      </div>
      <LimitFields {...props} hasDefault />
      <TextField
        {...props}
        name="expiresInDays"
        label="Expires in (days)"
        description="Leave blank for the default."
      />
      <PermissionsField {...props} />
      {hasMetadata && <MetadataField {...props} />}
    </>
  );
};

/** Creates a key for a user or an organization and previews its limits in words. */
export const CreateKeyForm = (props: CreateKeyFormProps) => {
  const { create, onClose } = props;
  const [chosen, setChosen] = useState<Choice | null>();
  const owner = chosen === undefined ? props.owner : chosen;
  const [isTried, setIsTried] = useState(false);
  const form = useForm({ resolver: zodResolver(keyForm), defaultValues: emptyKeyForm });
  useDraft({ form, name: keyDraft, defaults: emptyKeyForm });
  const written = useWatch({ control: form.control });
  const faults = faultsOf(create.error, names, byCode);
  const ask = form.handleSubmit((given) => {
    if (owner) create.mutate({ body: keyBody(given, readOwner(owner.value)) });
  });
  return (
    <form
      noValidate
      className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]"
      onSubmit={(event) => {
        setIsTried(true);
        void ask(event);
      }}
    >
      <div className="flex flex-col gap-4">
        <Field
          label="Owner"
          description="The key acts as this user or organization."
          error={
            isTried && !owner
              ? "Choose the owner of the key."
              : (faults.userId ?? faults.organizationId)
          }
        >
          <OwnerPicker key={props.owner?.label} value={owner} onChange={setChosen} />
        </Field>
        <NewKeyFields form={form} faults={faults} />
      </div>
      <div className="flex flex-col gap-4 self-start lg:sticky lg:top-0">
        <Preview form={written} />
        {create.error && Object.keys(faults).length === 0 && <FormError error={create.error} />}
        <DialogButtons action="Create key" isBusy={create.isPending} onCancel={onClose} />
      </div>
    </form>
  );
};

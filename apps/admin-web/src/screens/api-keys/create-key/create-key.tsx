import { useState } from "react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { useKeptSecret } from "@latchkey/ui/secrets/use-kept-secret.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { useQuery } from "@tanstack/react-query";
import { discardDraft, useDraft } from "../../../components/kept/use-draft.ts";
import { NewKey } from "../../../components/api-keys/new-key.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import {
  type KeyFieldsProps,
  KeyTextField,
  LimitFields,
  MetadataField,
  PermissionsField,
} from "../../../components/api-keys/key-fields.tsx";
import {
  emptyKeyForm,
  keyFieldOf,
  type KeyForm,
  keyForm,
} from "../../../components/api-keys/key-form.ts";
import { useOption } from "../../../components/use-option.ts";
import { readOwner } from "../../../components/api-keys/owner-choice.ts";
import { OwnerPicker } from "../../../components/api-keys/owner-picker.tsx";
import { limitsInWords } from "../../../components/api-keys/limits-in-words.ts";
import { LimitsList } from "../../../components/api-keys/limits-list.tsx";
import { draftLimits, type KeyDefaults } from "./draft-limits.ts";
import { keyBody } from "./key-body.ts";
import { useAccess } from "../../../access/use-access.ts";
import { optionsQuery } from "../../../components/options-query.ts";
import { defaultsOf } from "./key-defaults.ts";
import { t } from "../../../texts.ts";

const unknown: KeyDefaults = { rate: undefined, permissions: undefined, lifetime: undefined };

/** Returns the installation's defaults for new keys, as far as this admin may read them. */
const useKeyDefaults = (): KeyDefaults => {
  const { may } = useAccess();
  const { data } = useQuery({
    ...optionsQuery,
    enabled: may("settings:read"),
    select: ({ options }) => defaultsOf(options),
  });
  return data ?? unknown;
};

const ownedKeyForm = keyForm.and(
  z.object({
    owner: z
      .object({ value: z.string(), label: z.string() })
      .nullable()
      .refine((chosen) => chosen !== null, t("apiKeys.create.chooseOwner")),
  }),
);
type OwnedKeyForm = z.input<typeof ownedKeyForm>;

interface CreateKeyFormProps {
  owner: Choice | null;
  create: ReturnType<typeof useOperation<typeof operations.apikey.adminCreateApiKey>>;
  onClose: () => void;
}

/** The name of the draft. It contains no key, because the server makes the key. */
const keyDraft = "create-key";

/** The fields of error codes, and of values that the operation names differently. */
const fieldOf = {
  ...keyFieldOf,
  USER_NOT_FOUND: "owner",
  USER_IS_BANNED: "owner",
  ORGANIZATION_NOT_FOUND: "owner",
  userId: "owner",
  organizationId: "owner",
} as const;

const Preview = ({ form }: { form: KeyForm }) => {
  const defaults = useKeyDefaults();
  const now = useNow();
  const limits = draftLimits(form, defaults, now);
  return (
    <section aria-label={t("apiKeys.limits")} className="rounded-md bg-sunken p-3">
      <h3 className="mb-2 font-medium">{t("apiKeys.limits")}</h3>
      <LimitsList words={limitsInWords(limits, now)} />
    </section>
  );
};

const NewKeyFields = (props: KeyFieldsProps) => {
  const hasMetadata = useOption("apiKey.enableMetadata") === true;
  return (
    <>
      <div className="flex items-start gap-3">
        <KeyTextField
          {...props}
          name="name"
          label={t("common.name")}
          hint={t("apiKeys.nameHint")}
        />
        <KeyTextField
          {...props}
          name="prefix"
          label={t("apiKeys.prefix")}
          hint={t("apiKeys.create.prefixHint")}
        />
      </div>
      <LimitFields {...props} hasDefault />
      <KeyTextField
        {...props}
        name="expiresInDays"
        label={t("apiKeys.expiresInDays")}
        hint={t("apiKeys.create.expiryHint")}
      />
      <PermissionsField {...props} />
      {hasMetadata && <MetadataField {...props} />}
    </>
  );
};

/** Creates a key for a user or an organization and previews its limits in words. */
const CreateKeyForm = (props: CreateKeyFormProps) => {
  const { create, onClose } = props;
  const defaults = { ...emptyKeyForm, owner: props.owner };
  const form = useForm<OwnedKeyForm>({
    resolver: zodResolver(ownedKeyForm),
    defaultValues: defaults,
    change: create,
    fieldOf,
    onSubmit: (given) =>
      create.mutate({ body: keyBody(given, readOwner(given.owner?.value ?? "")) }),
  });
  const owner = form.choice("owner");
  useDraft({ form, name: keyDraft, defaults, excluded: ["owner"] });
  return (
    <Form
      form={form}
      hidesRefusal
      className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18rem]"
      foot={
        <div className="flex flex-col gap-4 self-start lg:sticky lg:top-0">
          <Preview form={form.watch()} />
          {Boolean(form.refusal) && <FormError error={form.refusal} />}
          <DialogButtons
            action={t("apiKeys.createKey")}
            isBusy={create.isPending}
            onCancel={onClose}
          />
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        <Field
          label={t("common.owner")}
          description={t("apiKeys.create.ownerHint")}
          error={form.errorOf("owner")}
        >
          <OwnerPicker
            key={props.owner?.label}
            // Its label may arrive later.
            value={owner.value?.value === props.owner?.value ? props.owner : owner.value}
            onChange={owner.onChange}
          />
        </Field>
        <NewKeyFields form={form} />
      </div>
    </Form>
  );
};

type CreatedKey = CallReply<typeof operations.apikey.adminCreateApiKey>;

interface CreateKeyProps {
  /** The owner of the key, if already known. */
  owner: Choice | null;
  isOpen: boolean;
  /** Leaves the address that opens this dialog. */
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a key, shows its text once, and protects it from being lost by accident. */
export const CreateKey = ({ owner, isOpen, onOpenChange }: CreateKeyProps) => {
  const close = () => onOpenChange(false);
  const giveUp = () => {
    discardDraft(keyDraft);
    close();
  };
  const [created, setCreated] = useState<CreatedKey>();
  const create = useOperation(operations.apikey.adminCreateApiKey, {
    showsError: true,
    onDone: (key) => {
      discardDraft(keyDraft);
      setCreated(key);
    },
  });
  const { isWarned, onCopied } = useKeptSecret(created, create.isPending);
  return (
    <Dialog
      title={created ? t("apiKeys.create.done") : t("palette.createKey")}
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
      className={created ? "max-w-xl" : "max-w-4xl"}
    >
      {created ? (
        <NewKey created={created} isWarned={isWarned} onCopied={onCopied} onClose={close} />
      ) : (
        <CreateKeyForm owner={owner} create={create} onClose={giveUp} />
      )}
    </Dialog>
  );
};

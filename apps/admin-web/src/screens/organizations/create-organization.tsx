import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import {
  organizationForm,
  readMetadata,
  slugOf,
} from "../../components/organizations/organization-form.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { UserPicker } from "../../components/users/user-picker.tsx";
import { type EditableField, editableFields } from "../../components/fields/field-text.ts";
import {
  changedFields,
  fieldPaths,
  type FieldTexts,
  FormFields,
} from "../../components/fields/form-fields.tsx";
import { useOption } from "../../components/use-option.ts";
import { t } from "../../texts.ts";

const newOrganization = organizationForm.pick({ name: true, slug: true, metadata: true }).extend({
  owner: z
    .object({ value: z.string(), label: z.string() })
    .nullable()
    .refine((chosen) => chosen !== null, t("faults.chooseUser")),
});
type NewOrganization = z.input<typeof newOrganization> & { fields: FieldTexts };

/** The fields of error codes. */
const fieldOf = {
  USER_NOT_FOUND: "owner",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: "owner",
  userId: "owner",
} as const;

const emptyOrganization: NewOrganization = {
  name: "",
  slug: "",
  metadata: "",
  owner: null,
  fields: {},
};
const draft = "create-organization";

const useCreate = (fields: readonly EditableField[]) => {
  const navigate = useNavigate();
  const create = useOperation(operations.organization.adminCreateOrganization, {
    showsError: true,
    done: ({ name }) => t("common.createdOne", { name }),
    onDone: ({ id }) => {
      discardDraft(draft);
      return navigate({ to: "/organizations/$organizationId", params: { organizationId: id } });
    },
  });
  const schema = newOrganization.extend({ fields: changedFields(fields, {}) });
  const form = useForm<NewOrganization, z.output<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: emptyOrganization,
    change: create,
    fieldOf: { ...fieldOf, ...fieldPaths(fields) },
    onSubmit: ({ name, slug, metadata, owner, fields: values }) =>
      create.mutate({
        body: {
          ...values,
          name: name.trim(),
          slug: slug.trim(),
          userId: owner?.value ?? "",
          ...(metadata.trim() !== "" && { metadata: readMetadata(metadata) ?? {} }),
        },
      }),
  });
  useDraft({ form, name: draft, defaults: emptyOrganization });
  return form;
};

const CreateForm = ({ onClose }: { onClose: () => void }) => {
  const fields = editableFields(useOption("organization.schema.organization.additionalFields"));
  const form = useCreate(fields);
  const { field, formState, setValue } = form;
  return (
    <DialogForm form={form} action={t("palette.createOrganization")} onClose={onClose}>
      <TextField
        {...field("name", {
          // The slug follows the name until the admin has edited it.
          onChange: ({ target }: { target: HTMLInputElement }) => {
            if (!formState.dirtyFields.slug) setValue("slug", slugOf(target.value));
          },
        })}
        label={t("common.name")}
        autoComplete="off"
        dir="auto"
        autoFocus
      />
      <TextField
        {...field("slug")}
        label={t("common.slug")}
        hint={t("organizations.create.slugHint")}
        autoComplete="off"
        spellCheck={false}
      />
      <Field label={t("common.owner")} error={form.errorOf("owner")}>
        <UserPicker {...form.choice("owner")} />
      </Field>
      <TextAreaField
        {...field("metadata")}
        label={t("common.metadata")}
        hint={t("organizations.create.metadataHint")}
        spellCheck={false}
        isCode
      />
      <FormFields fields={fields} form={form} />
    </DialogForm>
  );
};

interface CreateOrganizationProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates an organization for a user. */
export const CreateOrganization = ({ isOpen, onOpenChange }: CreateOrganizationProps) => {
  const giveUp = () => {
    discardDraft(draft);
    onOpenChange(false);
  };
  return (
    <Dialog
      title={t("palette.createOrganization")}
      description={t("organizations.create.text")}
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
    >
      <CreateForm onClose={giveUp} />
    </Dialog>
  );
};

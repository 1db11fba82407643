import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { Controller, useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import {
  organizationForm,
  readMetadata,
  slugOf,
} from "../../components/organizations/organization-form.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Textarea } from "@latchkey/ui/components/textarea.tsx";
import { UserPicker } from "../../components/users/user-picker.tsx";

const newOrganization = organizationForm.pick({ name: true, slug: true, metadata: true }).extend({
  owner: z
    .object({ value: z.string(), label: z.string() })
    .nullable()
    .refine((chosen) => chosen !== null, "Choose a user."),
});
type NewOrganization = z.input<typeof newOrganization>;

const names = ["name", "slug", "metadata", "owner"] as const;
const aboutFields = {
  ORGANIZATION_ALREADY_EXISTS: "slug",
  USER_NOT_FOUND: "owner",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: "owner",
} as const;

const emptyOrganization: NewOrganization = { name: "", slug: "", metadata: "", owner: null };
const draft = "create-organization";

const useCreate = () => {
  const navigate = useNavigate();
  const form = useForm<NewOrganization>({
    resolver: zodResolver(newOrganization),
    defaultValues: emptyOrganization,
  });
  useDraft({ form, name: draft, defaults: emptyOrganization });
  const create = useOperation(operations.organization.adminCreateOrganization, {
    showsError: true,
    done: ({ name }) => `${name} created.`,
    onDone: ({ id }) => {
      discardDraft(draft);
      return navigate({ to: "/organizations/$organizationId", params: { organizationId: id } });
    },
  });
  const submit = form.handleSubmit(({ name, slug, metadata, owner }) =>
    create.mutate({
      body: {
        name: name.trim(),
        slug: slug.trim(),
        userId: owner?.value ?? "",
        ...(metadata.trim() !== "" && { metadata: readMetadata(metadata) ?? {} }),
      },
    }),
  );
  return { form, create, submit, faults: faultsOf(create.error, names, aboutFields) };
};

const CreateForm = ({ onClose }: { onClose: () => void }) => {
  const { form, create, submit, faults } = useCreate();
  const { register, control, formState, setValue } = form;
  const { errors, dirtyFields } = formState;
  const faultOf = (name: (typeof names)[number]) => errors[name]?.message ?? faults[name];
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label="Name" error={faultOf("name")}>
        <Input
          {...register("name", {
            // The slug follows the name until the admin has edited it.
            onChange: ({ target }: { target: HTMLInputElement }) => {
              if (!dirtyFields.slug) setValue("slug", slugOf(target.value));
            },
          })}
          autoComplete="off"
          dir="auto"
          autoFocus
        />
      </Field>
      <Field label="Slug" description="Used in URLs." error={faultOf("slug")}>
        <Input {...register("slug")} autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Owner" error={faultOf("owner")}>
        <Controller
          control={control}
          name="owner"
          render={({ field }) => <UserPicker value={field.value} onChange={field.onChange} />}
        />
      </Field>
      <Field
        label="Metadata"
        description="Optional. JSON that your application stores with the organization."
        error={faultOf("metadata")}
      >
        <Textarea {...register("metadata")} spellCheck={false} className="font-mono text-xs" />
      </Field>
      {create.error && Object.keys(faults).length === 0 && <FormError error={create.error} />}
      <DialogButtons action="Create organization" isBusy={create.isPending} onCancel={onClose} />
    </form>
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
      title="Create organization"
      description="The owner can change everything in it and invite members."
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
    >
      <CreateForm onClose={giveUp} />
    </Dialog>
  );
};

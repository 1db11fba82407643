import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Textarea } from "@latchkey/ui/components/textarea.tsx";
import { DangerZone } from "./danger-zone.tsx";
import {
  changeOf,
  formOf,
  organizationForm,
} from "../../components/organizations/organization-form.ts";
import type { Organization } from "./use-organization.ts";

const names = ["name", "slug", "logo", "metadata"] as const;

const useSettingsForm = (organization: Organization) => {
  // The values when editing began. Changes by others neither overwrite the admin's input nor are reverted by saving it.
  const [saved, setSaved] = useState(() => formOf(organization));
  const form = useForm({ resolver: zodResolver(organizationForm), defaultValues: saved });
  const draft = `organization.${organization.id}`;
  useDraft({ form, name: draft, defaults: saved });
  const update = useOperation(operations.organization.adminUpdateOrganization, {
    showsError: true,
    done: "Settings saved.",
    onDone: (row) => {
      setSaved(formOf(row));
      form.reset(formOf(row));
      discardDraft(draft);
    },
  });
  const faults = faultsOf(update.error, names, { ORGANIZATION_ALREADY_EXISTS: "slug" });
  const save = form.handleSubmit((given) =>
    update.mutate({ params: { id: organization.id }, body: changeOf(given, saved) }),
  );
  return { form, update, faults, save };
};

const SettingsForm = ({ organization }: { organization: Organization }) => {
  const { form, update, faults, save } = useSettingsForm(organization);
  const { register, formState } = form;
  const { errors, isDirty } = formState;
  const faultOf = (name: (typeof names)[number]) => errors[name]?.message ?? faults[name];
  return (
    <form
      noValidate
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => void save(event)}
    >
      <Field label="Name" error={faultOf("name")}>
        <Input {...register("name")} dir="auto" />
      </Field>
      <Field
        label="Slug"
        description="Used in URLs. Links with the old slug stop working."
        error={faultOf("slug")}
      >
        <Input {...register("slug")} spellCheck={false} />
      </Field>
      <Field label="Logo" description="The URL of an image." error={faultOf("logo")}>
        <Input {...register("logo")} spellCheck={false} />
      </Field>
      <Field
        label="Metadata"
        description="JSON that your application stores with the organization."
        error={faultOf("metadata")}
      >
        <Textarea
          {...register("metadata")}
          spellCheck={false}
          className="min-h-32 font-mono text-xs"
        />
      </Field>
      {update.error && Object.keys(faults).length === 0 && <FormError error={update.error} />}
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={!isDirty} isBusy={update.isPending}>
          Save
        </Button>
        {isDirty && <Button onClick={() => form.reset()}>Reset</Button>}
      </div>
    </form>
  );
};

/** Edits an organization, and offers to delete it. */
export const Settings = ({ organization }: { organization: Organization }) => {
  const { may } = useAccess();
  return (
    <div className="flex flex-col gap-4">
      <Card title="Settings">
        {may("organization:update") ? (
          <SettingsForm organization={organization} />
        ) : (
          <p className="text-muted">You do not have permission to change this organization.</p>
        )}
      </Card>
      {may("organization:delete") && <DangerZone organization={organization} />}
    </div>
  );
};

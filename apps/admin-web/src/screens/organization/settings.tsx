import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { type FormOf, useForm } from "@latchkey/ui/form/use-form.ts";
import type { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import {
  changeOf,
  formOf,
  type OrganizationForm,
  organizationForm,
} from "../../components/organizations/organization-form.ts";
import type { Organization } from "./use-organization.ts";
import { type EditableField, editableFields } from "../../components/fields/field-text.ts";
import {
  changedFields,
  fieldPaths,
  fieldTexts,
  type FieldTexts,
  FormFields,
} from "../../components/fields/form-fields.tsx";
import { useOptionReading } from "../../components/use-option.ts";
import { Confirm } from "../../components/confirm.tsx";
import { countText } from "./count-text.ts";
import { t } from "../../texts.ts";

/** The actions that cannot be undone. */
const DangerZone = ({ organization }: { organization: Organization }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  const { id, name, slug, memberCount } = organization;
  return (
    <Card title={t("organization.delete.zone")} className="border-danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-muted">{t("organization.delete.zoneText")}</p>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          {t("organization.delete.action")}
        </Button>
      </div>
      {isAsked && (
        <Confirm
          operation={operations.organization.adminDeleteOrganization}
          input={{ params: { id } }}
          title={t("common.deleteQuestion", { name })}
          action={t("organization.delete.action")}
          typed={slug}
          done={t("common.deletedOne", { name })}
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/organizations", replace: true })}
        >
          {t("organization.delete.text", {
            count: memberCount,
            members: countText(memberCount),
          })}
        </Confirm>
      )}
    </Card>
  );
};

type SettingsValues = OrganizationForm & { fields: FieldTexts };

const useSettingsForm = (organization: Organization, fields: readonly EditableField[]) => {
  const valuesOf = (row: Parameters<typeof formOf>[0]): SettingsValues => ({
    ...formOf(row),
    fields: fieldTexts(fields, { ...row }),
  });
  // The values when editing began. Changes by others neither overwrite the admin's input nor are reverted by saving it.
  const [saved, setSaved] = useState(() => valuesOf(organization));
  const draft = `organization.${organization.id}`;
  const update = useOperation(operations.organization.adminUpdateOrganization, {
    showsError: true,
    done: t("organization.settings.done"),
    onDone: (row) => {
      setSaved(valuesOf(row));
      form.reset(valuesOf(row));
      discardDraft(draft);
    },
  });
  const schema = organizationForm.extend({ fields: changedFields(fields, saved.fields) });
  const form: FormOf<SettingsValues, z.output<typeof schema>> = useForm<
    SettingsValues,
    z.output<typeof schema>
  >({
    resolver: zodResolver(schema),
    defaultValues: saved,
    change: update,
    fieldOf: fieldPaths(fields),
    onSubmit: ({ fields: changed, ...given }) =>
      update.mutate({
        params: { id: organization.id },
        body: { ...changed, ...changeOf(given, saved) },
      }),
  });
  useDraft({ form, name: draft, defaults: saved });
  return form;
};

interface SettingsFormProps {
  organization: Organization;
  fields: readonly EditableField[];
}

const SettingsForm = ({ organization, fields }: SettingsFormProps) => {
  const form = useSettingsForm(organization, fields);
  const { isDirty } = form.formState;
  return (
    <Form
      form={form}
      className="flex max-w-xl flex-col gap-4"
      foot={
        <div className="flex gap-2">
          <Button type="submit" kind="primary" disabled={!isDirty} isBusy={form.isPending}>
            {t("common.save")}
          </Button>
          {isDirty && <Button onClick={() => form.reset()}>{t("profile.reset")}</Button>}
        </div>
      }
    >
      <TextField {...form.field("name")} label={t("common.name")} dir="auto" />
      <TextField
        {...form.field("slug")}
        label={t("common.slug")}
        hint={t("organization.settings.slugHint")}
        spellCheck={false}
      />
      <TextField
        {...form.field("logo")}
        label={t("organization.settings.logo")}
        hint={t("organization.settings.logoHint")}
        spellCheck={false}
      />
      <TextAreaField
        {...form.field("metadata")}
        label={t("common.metadata")}
        hint={t("organization.settings.metadataHint")}
        rows={5}
        spellCheck={false}
        isCode
      />
      <FormFields fields={fields} form={form} />
    </Form>
  );
};

/** Edits an organization, and offers to delete it. */
export const Settings = ({ organization }: { organization: Organization }) => {
  const { may } = useAccess();
  // The form begins with all fields, so it waits for their names.
  const { value, isPending } = useOptionReading(
    "organization.schema.organization.additionalFields",
  );
  const form = isPending ? (
    <Skeleton className="h-80 w-full" />
  ) : (
    <SettingsForm organization={organization} fields={editableFields(value)} />
  );
  return (
    <div className="flex flex-col gap-4">
      <Card title={t("organization.settings.title")}>
        {may("organization:update") ? (
          form
        ) : (
          <p className="text-muted">{t("organization.settings.fixed")}</p>
        )}
      </Card>
      {may("organization:delete") && <DangerZone organization={organization} />}
    </div>
  );
};

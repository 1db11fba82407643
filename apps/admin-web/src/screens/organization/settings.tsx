import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { useNavigate } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import {
  changeOf,
  formOf,
  organizationForm,
} from "../../components/organizations/organization-form.ts";
import type { Organization } from "./use-organization.ts";
import { Confirm } from "../../components/confirm.tsx";
import { countText } from "./count-text.ts";

/** The actions that cannot be undone. */
const DangerZone = ({ organization }: { organization: Organization }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  const { id, name, slug, memberCount } = organization;
  return (
    <Card title="Danger zone" className="border-danger">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-xl text-muted">
          Deletes the organization with its memberships, invitations, and teams. Its users are kept.
        </p>
        <Button kind="danger" onClick={() => setIsAsked(true)}>
          Delete organization
        </Button>
      </div>
      {isAsked && (
        <Confirm
          operation={operations.organization.adminDeleteOrganization}
          input={{ params: { id } }}
          title={`Delete ${name}?`}
          action="Delete organization"
          typed={slug}
          done={`${name} deleted.`}
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/organizations", replace: true })}
        >
          The{" "}
          {memberCount === 1
            ? "membership of its member"
            : `memberships of its ${countText(memberCount)} members`}
          , its invitations, and its teams are permanently deleted. Its users are kept. This cannot
          be undone.
        </Confirm>
      )}
    </Card>
  );
};

const useSettingsForm = (organization: Organization) => {
  // The values when editing began. Changes by others neither overwrite the admin's input nor are reverted by saving it.
  const [saved, setSaved] = useState(() => formOf(organization));
  const draft = `organization.${organization.id}`;
  const update = useOperation(operations.organization.adminUpdateOrganization, {
    showsError: true,
    done: "Settings saved.",
    onDone: (row) => {
      setSaved(formOf(row));
      form.reset(formOf(row));
      discardDraft(draft);
    },
  });
  const form = useForm<typeof saved>({
    resolver: zodResolver(organizationForm),
    defaultValues: saved,
    change: update,
    onSubmit: (given) =>
      update.mutate({ params: { id: organization.id }, body: changeOf(given, saved) }),
  });
  useDraft({ form, name: draft, defaults: saved });
  return form;
};

const SettingsForm = ({ organization }: { organization: Organization }) => {
  const form = useSettingsForm(organization);
  const { isDirty } = form.formState;
  return (
    <Form
      form={form}
      className="flex max-w-xl flex-col gap-4"
      foot={
        <div className="flex gap-2">
          <Button type="submit" kind="primary" disabled={!isDirty} isBusy={form.isPending}>
            Save
          </Button>
          {isDirty && <Button onClick={() => form.reset()}>Reset</Button>}
        </div>
      }
    >
      <TextField {...form.field("name")} label="Name" dir="auto" />
      <TextField
        {...form.field("slug")}
        label="Slug"
        hint="Used in URLs. Links with the old slug stop working."
        spellCheck={false}
      />
      <TextField
        {...form.field("logo")}
        label="Logo"
        hint="The URL of an image."
        spellCheck={false}
      />
      <TextAreaField
        {...form.field("metadata")}
        label="Metadata"
        hint="JSON that your application stores with the organization."
        rows={5}
        spellCheck={false}
        isCode
      />
    </Form>
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

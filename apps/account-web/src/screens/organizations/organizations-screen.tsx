import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { MenuItem } from "@latchkey/ui/components/dropdown-menu.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { Panel } from "../../components/account/panel.tsx";
import { Picture } from "../../components/account/picture.tsx";
import { Reading } from "../../components/account/reading.tsx";
import { Row, RowMenu, Rows } from "../../components/account/rows.tsx";
import { Screen } from "../../components/account/screen.tsx";
import { useTranslation } from "../../languages.ts";
import { sessionQuery } from "../../session/session-query.ts";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import {
  organizationBody,
  OrganizationFields,
  type OrganizationValues,
} from "../../components/organizations/organization-fields.tsx";
import { fieldPaths } from "../../components/additional-fields/additional-fields.tsx";
import { fieldValues } from "../../components/additional-fields/field-values.ts";
import { facts } from "../../facts.ts";
import { slugOf } from "../../components/organizations/slug-of.ts";
import { Moment } from "../../components/account/moment.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";

const { acceptInvitation, listUserInvitations, rejectInvitation } = operations.organization;

type Invitation = CallReply<typeof listUserInvitations>[number];

const InvitationRow = ({ invitation }: { invitation: Invitation }) => {
  const t = useTranslation("organizations");
  const roleNames = useRoleNames();
  const { id, organizationName: name, role, expiresAt } = invitation;
  const accept = useOperation(acceptInvitation, { done: t("invitations.accepted", { name }) });
  const decline = useOperation(rejectInvitation, { done: t("invitations.declined") });
  const body = { invitationId: id };
  return (
    <Row
      mark={<Picture name={name} isSquare />}
      title={<bdi>{name}</bdi>}
      details={
        <>
          {t("invitations.text", { role: roleNames(role) })} <Moment at={expiresAt} />
        </>
      }
      error={accept.error ?? decline.error}
      actions={
        <>
          <Button
            kind="primary"
            aria-label={t("invitations.acceptOne", { name })}
            isBusy={accept.isPending}
            onClick={() => accept.mutate({ body })}
          >
            {t("invitations.accept")}
          </Button>
          <Button
            aria-label={t("invitations.declineOne", { name })}
            isBusy={decline.isPending}
            onClick={() => decline.mutate({ body })}
          >
            {t("invitations.decline")}
          </Button>
        </>
      }
    />
  );
};

/** The pending invitations to the user. Not shown without any. */
const ReceivedInvitations = () => {
  const t = useTranslation("organizations");
  const { data, error } = useQuery(operationQuery(listUserInvitations, {}));
  if (error)
    return (
      <Panel title={t("invitations.title")}>
        <FormError error={error} />
      </Panel>
    );
  if (!data?.length) return null;
  return (
    <Panel title={t("invitations.title")}>
      <Rows label={t("invitations.title")}>
        {data.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </Rows>
    </Panel>
  );
};

const fields = facts.organizationFields.organization;

/** Creates an organization, which becomes the active one. */
const CreateOrganization = ({ onClose }: { onClose: () => void }) => {
  const t = useTranslation("organizations");
  const navigate = useNavigate();
  const create = useOperation(operations.organization.createOrganization, {
    onDone: async ({ id }) => {
      onClose();
      await navigate({ to: "/organizations/$organizationId", params: { organizationId: id } });
    },
  });
  const form = useForm<OrganizationValues>({
    defaultValues: { name: "", slug: "", logo: "", fields: {} },
    change: create,
    fieldOf: fieldPaths(fields),
    onSubmit: (values) =>
      create.mutate({
        body: { ...fieldValues(fields, values.fields), ...organizationBody(values) },
      }),
  });
  const suggestSlug = (name: string) => {
    if (!form.formState.dirtyFields.slug) form.setValue("slug", slugOf(name));
  };
  return (
    <FormDialog title={t("create")} form={form} action={t("create")} onClose={onClose}>
      <OrganizationFields form={form} fields={fields} onName={suggestSlug} />
    </FormDialog>
  );
};

const { listOrganizations, setActiveOrganization } = operations.organization;

interface OrganizationRowProps {
  organization: CallReply<typeof listOrganizations>[number];
  isActive: boolean;
}

const OrganizationRow = ({ organization, isActive }: OrganizationRowProps) => {
  const t = useTranslation("organizations");
  const { id, name, slug, logo } = organization;
  const navigate = useNavigate();
  const activate = useOperation(setActiveOrganization, { done: t("switched", { name }) });
  return (
    <Row
      mark={<Picture name={name} address={logo} isSquare />}
      title={
        <Link
          to="/organizations/$organizationId"
          params={{ organizationId: id }}
          aria-label={t("open", { name })}
          className="block truncate rounded-sm py-2.5 hover:underline"
        >
          <bdi>{name}</bdi>
        </Link>
      }
      badges={isActive && <Badge tone="success">{t("active")}</Badge>}
      details={<bdi dir="ltr">{slug}</bdi>}
      error={activate.error}
      actions={
        <RowMenu name={name} isBusy={activate.isPending}>
          {!isActive && (
            <MenuItem onSelect={() => activate.mutate({ body: { organizationId: id } })}>
              {t("switch")}
            </MenuItem>
          )}
          <MenuItem
            onSelect={() =>
              void navigate({
                to: "/organizations/$organizationId",
                params: { organizationId: id },
              })
            }
          >
            {t("manage")}
          </MenuItem>
        </RowMenu>
      }
    />
  );
};

/** The organizations of the user, and the invitations to others. */
export const OrganizationsScreen = () => {
  const t = useTranslation("organizations");
  const [isCreating, setIsCreating] = useState(false);
  const { data: session } = useQuery(sessionQuery);
  const organizations = useQuery(operationQuery(listOrganizations, {}));
  const create = (
    <Button kind="primary" onClick={() => setIsCreating(true)}>
      {t("create")}
    </Button>
  );
  return (
    <Screen title={t("title")} lead={t("lead")}>
      <ReceivedInvitations />
      <Panel title={t("list")} actions={create}>
        <Reading of={organizations}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title={t("none")}>{t("noneText")}</EmptyState>
            ) : (
              <Rows label={t("list")}>
                {list.map((organization) => (
                  <OrganizationRow
                    key={organization.id}
                    organization={organization}
                    isActive={organization.id === session?.session.activeOrganizationId}
                  />
                ))}
              </Rows>
            )
          }
        </Reading>
      </Panel>
      {isCreating && <CreateOrganization onClose={() => setIsCreating(false)} />}
    </Screen>
  );
};

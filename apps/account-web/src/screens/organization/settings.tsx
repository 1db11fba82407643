import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useState } from "react";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { isTyped } from "@latchkey/ui/components/is-typed.ts";
import { useNavigate } from "@tanstack/react-router";
import { EditPicture } from "../../components/account/edit-picture.tsx";
import { isUploadedPicture } from "../../components/account/may-load-picture.ts";
import { Panel } from "../../components/account/panel.tsx";
import {
  organizationBody,
  OrganizationFields,
  type OrganizationValues,
} from "../../components/organizations/organization-fields.tsx";
import { picturePlaces } from "../../components/account/picture.tsx";
import { fieldPaths } from "../../components/additional-fields/additional-fields.tsx";
import { changedValues, storedTexts } from "../../components/additional-fields/field-values.ts";
import { facts } from "../../facts.ts";
import { useTranslation } from "../../languages.ts";
import type { PartProps } from "./organization.ts";
import { SecondFactorPolicy } from "./second-factor-policy.tsx";
import { usePermissions } from "../../components/organizations/use-permissions.ts";
import { ConfirmDialog, FormDialog } from "../../components/account/form-dialog.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";

const { deleteOrganization, leaveOrganization, updateOrganization, uploadOrganizationPicture } =
  operations.organization;

interface EndDialogProps extends PartProps {
  onClose: () => void;
}

/** Ends the membership of the user. */
const LeaveOrganization = ({ organization: { id, name }, onClose }: EndDialogProps) => {
  const t = useTranslation("organizations");
  const navigate = useNavigate();
  const leave = useOperation(leaveOrganization, {
    done: t("settings.left", { name }),
    onDone: () => navigate({ to: "/organizations" }),
  });
  return (
    <ConfirmDialog
      title={t("settings.leaveTitle", { name })}
      description={t("settings.leaveText")}
      action={t("settings.leave")}
      change={leave}
      onConfirm={() => leave.mutate({ body: { organizationId: id } })}
      onClose={onClose}
    />
  );
};

/** Deletes an organization once its name has been typed. */
const DeleteOrganization = ({ organization: { id, name }, onClose }: EndDialogProps) => {
  const t = useTranslation("organizations");
  const navigate = useNavigate();
  const remove = useOperation(deleteOrganization, {
    done: t("settings.deleted", { name }),
    onDone: () => navigate({ to: "/organizations" }),
  });
  const form = useForm({
    defaultValues: { typed: "" },
    change: remove,
    onSubmit: () => remove.mutate({ body: { organizationId: id } }),
  });
  return (
    <FormDialog
      form={form}
      title={t("settings.deleteTitle", { name })}
      description={t("settings.deleteText")}
      action={t("settings.delete")}
      isDangerous
      onClose={onClose}
    >
      <TextField
        {...form.field("typed", {
          validate: (text) => isTyped(text, name) || t("settings.nameDiffers"),
        })}
        label={t("settings.typeName", { name })}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
      />
    </FormDialog>
  );
};

const fields = facts.organizationFields.organization.filter(({ returned }) => returned);

const Details = ({ organization }: PartProps) => {
  const { id, name, slug, logo } = organization;
  const t = useTranslation("organizations");
  const save = useOperation(updateOrganization, { done: t("saved") });
  const form = useForm<OrganizationValues>({
    values: {
      name,
      slug,
      logo: logo && !isUploadedPicture(logo, picturePlaces) ? logo : "",
      fields: storedTexts(fields, organization),
    },
    resetOptions: { keepDirtyValues: true },
    change: save,
    fieldOf: fieldPaths(fields),
    onSubmit: (values) => {
      const extra = changedValues(fields, values.fields, organization);
      const data = { ...extra, ...organizationBody(values) };
      return save.mutate({ body: { data, organizationId: id } });
    },
  });
  return (
    <Panel title={t("settings.title")}>
      <Form
        form={form}
        foot={
          <div>
            <Button
              type="submit"
              kind="primary"
              disabled={!form.formState.isDirty}
              isBusy={save.isPending}
            >
              {t("save")}
            </Button>
          </div>
        }
      >
        <EditPicture
          name={name}
          address={logo}
          fit="contain"
          upload={(picture) =>
            call(uploadOrganizationPicture, { body: { picture, organizationId: id } })
          }
          remove={() =>
            call(updateOrganization, { body: { data: { logo: null }, organizationId: id } })
          }
        />
        <OrganizationFields form={form} fields={fields} />
      </Form>
    </Panel>
  );
};

/** The details of an organization, and the ways out of it. */
export const Settings = ({ organization }: PartProps) => {
  const t = useTranslation("organizations");
  const may = usePermissions(organization.id, ["organization:update", "organization:delete"]);
  const [open, setOpen] = useState<"leave" | "delete">();
  const onClose = () => setOpen(undefined);
  return (
    <div className="flex flex-col gap-6">
      {may("organization:update") && <Details organization={organization} />}
      {may("organization:update") && isOffered(operations.organization.getTwoFactorPolicy) && (
        <SecondFactorPolicy organization={organization} />
      )}
      <Panel title={t("settings.leave")} text={t("settings.leaveText")}>
        <div>
          <Button onClick={() => setOpen("leave")}>{t("settings.leave")}</Button>
        </div>
      </Panel>
      {may("organization:delete") && (
        <Panel title={t("settings.delete")} text={t("settings.deleteText")}>
          <div>
            <Button kind="danger" onClick={() => setOpen("delete")}>
              {t("settings.delete")}
            </Button>
          </div>
        </Panel>
      )}
      {open === "leave" && <LeaveOrganization organization={organization} onClose={onClose} />}
      {open === "delete" && <DeleteOrganization organization={organization} onClose={onClose} />}
    </div>
  );
};

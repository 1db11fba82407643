import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Panel } from "../../components/account/panel.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { FormError } from "../../components/form-error.tsx";
import {
  organizationBody,
  OrganizationFields,
  type OrganizationValues,
} from "../../components/organizations/organization-fields.tsx";
import { DeleteOrganization, LeaveOrganization } from "./end-dialogs.tsx";
import type { PartProps } from "./organization.ts";
import { usePermissions } from "../../components/organizations/use-permissions.ts";

const Details = ({ organization: { id, name, slug, logo } }: PartProps) => {
  const { t } = useTranslation("organizations");
  const form = useForm<OrganizationValues>({
    values: { name, slug, logo: logo ?? "" },
    resetOptions: { keepDirtyValues: true },
  });
  const save = useAct(operations.organization.updateOrganization, { done: t("saved") });
  return (
    <Panel title={t("settings.title")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) =>
          void form.handleSubmit((values) =>
            save.mutate({ body: { data: organizationBody(values), organizationId: id } }),
          )(event)
        }
      >
        <OrganizationFields form={form} />
        {save.error && <FormError error={save.error} />}
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
      </form>
    </Panel>
  );
};

/** The details of an organization, and the ways out of it. */
export const Settings = ({ organization }: PartProps) => {
  const { t } = useTranslation("organizations");
  const may = usePermissions(organization.id, ["organization:update", "organization:delete"]);
  const [open, setOpen] = useState<"leave" | "delete">();
  const onClose = () => setOpen(undefined);
  return (
    <div className="flex flex-col gap-6">
      {may("organization:update") && <Details organization={organization} />}
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

import { operations } from "@latchkey/ui/api/contracts.ts";
import { useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { useAct } from "../../components/account/use-act.ts";
import {
  organizationBody,
  OrganizationFields,
  type OrganizationValues,
} from "../../components/organizations/organization-fields.tsx";
import { slugOf } from "../../components/organizations/slug-of.ts";

/** Creates an organization, which becomes the active one. */
export const CreateOrganization = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation("organizations");
  const navigate = useNavigate();
  const form = useForm<OrganizationValues>({ defaultValues: { name: "", slug: "", logo: "" } });
  const create = useAct(operations.organization.createOrganization, {
    onDone: async ({ id }) => {
      onClose();
      await navigate({ to: "/organizations/$organizationId", params: { organizationId: id } });
    },
  });
  const suggestSlug = (name: string) => {
    if (!form.formState.dirtyFields.slug) form.setValue("slug", slugOf(name));
  };
  return (
    <FormDialog
      title={t("create")}
      action={t("create")}
      change={create}
      onSubmit={form.handleSubmit((values) => create.mutate({ body: organizationBody(values) }))}
      onClose={onClose}
    >
      <OrganizationFields form={form} onName={suggestSlug} />
    </FormDialog>
  );
};

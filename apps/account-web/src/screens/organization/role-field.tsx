import type { ComponentProps } from "react";
import { SelectField } from "@latchkey/ui/components/fields.tsx";
import { facts } from "../../facts.ts";
import { useMadeRoles } from "../../components/organizations/use-made-roles.ts";
import { useRoleNames } from "../../components/organizations/use-role-names.ts";
import { useTranslation } from "../../languages.ts";

interface RoleFieldProps extends Omit<ComponentProps<typeof SelectField>, "label" | "choices"> {
  label?: string;
  organizationId: string;
  /** Several roles of a member, which are offered as they are. */
  present?: string;
}

/** Chooses one of the configured roles, or of those that the organization made itself. */
export const RoleField = ({ label, organizationId, present, ...select }: RoleFieldProps) => {
  const t = useTranslation("organizations");
  const roleNames = useRoleNames();
  const { data: made = [] } = useMadeRoles(organizationId);
  const ownRoles = made.map(({ role }) => role);
  const roles = new Set([...facts.organizationRoles, ...ownRoles, ...(present ? [present] : [])]);
  return (
    <SelectField
      {...select}
      label={label ?? t("role")}
      choices={[...roles].map((value) => ({ value, label: roleNames(value) }))}
    />
  );
};

import { FilterSelect } from "../data-table/filter-select.tsx";
import { useRoleNames } from "./use-role-names.ts";
import { t } from "../../texts.ts";

interface RoleFilterProps {
  /** The option that declares the roles. */
  option: Parameters<typeof useRoleNames>[0];
  role: string | undefined;
  onChange: (patch: { role: string | undefined }) => void;
}

/** Filters a list by role. */
export const RoleFilter = ({ option, role, onChange }: RoleFilterProps) => {
  const roles = useRoleNames(option, role === undefined ? [] : [role]);
  return (
    <FilterSelect
      label={t("common.role")}
      anyLabel={t("roles.any")}
      choices={roles.map((name) => ({ value: name, label: name }))}
      value={role}
      onChange={(chosen) => onChange({ role: chosen })}
    />
  );
};

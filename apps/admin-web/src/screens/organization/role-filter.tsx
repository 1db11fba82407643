import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Select } from "@latchkey/ui/components/select.tsx";
import type { OrganizationSearch } from "./organization-search.ts";

/** Stands for all roles. No role has an empty name. */
const anyRole = "";

interface RoleFilterProps {
  role: string | undefined;
  onChange: (patch: Partial<OrganizationSearch>) => void;
}

/** Filters the members by role. */
export const RoleFilter = ({ role = anyRole, onChange }: RoleFilterProps) => {
  const roles = useRoleNames("organization.roles", role === anyRole ? [] : [role]);
  return (
    <Select
      label="Role"
      className="w-32"
      choices={[
        { value: anyRole, label: "Any role" },
        ...roles.map((name) => ({ value: name, label: name })),
      ]}
      value={role}
      onChange={(chosen) => onChange({ role: chosen || undefined })}
    />
  );
};

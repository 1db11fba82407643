import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Select } from "../../components/ui/select.tsx";
import type { UsersSearch } from "./users-search.ts";

interface UserFiltersProps {
  search: UsersSearch;
  onChange: (patch: Partial<UsersSearch>) => void;
}

const searchedIn = [
  { value: "email", label: "Address" },
  { value: "name", label: "Name" },
] as const;

const states = [
  { value: "all", label: "Any state" },
  { value: "banned", label: "Banned" },
  { value: "unverified", label: "Not verified" },
  { value: "verified", label: "Verified" },
] as const;

/** Stands for all roles. No role has an empty name. */
const anyRole = "";

/** Filters the users by state and role. */
export const UserFilters = ({ search, onChange }: UserFiltersProps) => {
  const { by = "email", state = "all", role = anyRole } = search;
  const roles = useRoleNames("admin.roles", role === anyRole ? [] : [role]);
  return (
    <>
      <Select
        label="Search in"
        className="w-28"
        choices={searchedIn}
        value={by}
        onChange={(chosen) => onChange({ by: chosen === "email" ? undefined : chosen })}
      />
      <Select
        label="State"
        className="w-32"
        choices={states}
        value={state}
        onChange={(chosen) =>
          onChange({ state: chosen === "all" ? undefined : chosen, role: undefined })
        }
      />
      <Select
        label="Role"
        className="w-32"
        choices={[
          { value: anyRole, label: "Any role" },
          ...roles.map((name) => ({ value: name, label: name })),
        ]}
        value={role}
        onChange={(chosen) => onChange({ role: chosen || undefined, state: undefined })}
      />
    </>
  );
};

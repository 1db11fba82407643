import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Select } from "@latchkey/ui/components/select.tsx";
import type { UsersSearch } from "./users-search.ts";

interface UserFiltersProps {
  search: UsersSearch;
  onChange: (patch: Partial<UsersSearch>) => void;
}

const factorStates = [
  { value: "second-factor", label: "With second factor" },
  { value: "no-second-factor", label: "Without second factor" },
] as const;

const states = [
  { value: "all" as const, label: "Any state" },
  { value: "banned" as const, label: "Banned" },
  { value: "unverified" as const, label: "Not verified" },
  { value: "verified" as const, label: "Verified" },
  ...(isOffered(operations.identity.adminResetTwoFactor) ? factorStates : []),
];

/** Stands for all roles. No role has an empty name. */
const anyRole = "";

/** Filters the users by state and role. */
export const UserFilters = ({ search, onChange }: UserFiltersProps) => {
  const { state = "all", role = anyRole } = search;
  const roles = useRoleNames("admin.roles", role === anyRole ? [] : [role]);
  return (
    <>
      <Select
        label="State"
        className="w-44"
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

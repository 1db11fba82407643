import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useQuery } from "@tanstack/react-query";
import { useAccess } from "../../access/use-access.ts";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { RoleFilter } from "../../components/roles/role-filter.tsx";
import { methodText } from "../../components/users/sign-in-words.ts";
import { isFiltered, noFilters, type UsersSearch } from "./users-search.ts";

const providersQuery = operationQuery(operations.gateway.adminReadSettings, {
  query: { names: "socialProviders" },
});

const { adminResetTwoFactor, adminListUserPasskeys, signInAnonymous } = operations.identity;

/** Returns the ways in that users of this installation may have, as far as this admin may know them. */
const useWaysIn = (chosen: string | undefined): string[] => {
  const { may } = useAccess();
  const { data } = useQuery({ ...providersQuery, enabled: may("settings:read") });
  const providers = (data?.options ?? []).flatMap(({ name }) => name.split(".")[1] ?? []);
  return [
    ...new Set([
      "password",
      ...(isOffered(adminListUserPasskeys) ? ["passkey"] : []),
      ...providers,
      ...(chosen === undefined ? [] : [chosen]),
    ]),
  ];
};

const wayText = (way: string): string =>
  methodText(way === "password" || way === "passkey" ? way : `social:${way}`);

const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** The filters with choices that are the same everywhere. The role and the way in depend on the installation. */
const filters = [
  {
    name: "state",
    label: "State",
    anyLabel: "Any state",
    choices: choicesOf({ banned: "Banned", active: "Not banned" }),
  },
  ...(isOffered(signInAnonymous)
    ? [
        {
          name: "kind",
          label: "Kind",
          anyLabel: "Users",
          choices: choicesOf({ guests: "Guests" }),
        } as const,
      ]
    : []),
  {
    name: "email",
    label: "Email",
    anyLabel: "Any email",
    choices: choicesOf({ verified: "Verified", unverified: "Not verified" }),
  },
  ...(isOffered(adminResetTwoFactor)
    ? [
        {
          name: "factor",
          label: "Second factor",
          anyLabel: "Any factor",
          choices: choicesOf({ on: "With second factor", off: "Without second factor" }),
        } as const,
      ]
    : []),
  {
    name: "days",
    label: "Signed up",
    anyLabel: "Any time",
    choices: choicesOf({
      1: "Today",
      7: "Last 7 days",
      30: "Last 30 days",
      90: "Last 90 days",
    }),
  },
] as const;

interface UserFiltersProps {
  search: UsersSearch;
  onChange: (patch: Partial<UsersSearch>) => void;
}

/** Filters the users. All filters hold at once. */
export const UserFilters = ({ search, onChange }: UserFiltersProps) => (
  // One line on a phone, which scrolls.
  <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:p-0.5 max-sm:*:shrink-0">
    {filters.map(({ name, ...filter }) => (
      <FilterSelect<string>
        key={name}
        {...filter}
        value={search[name]}
        onChange={(value) => onChange({ [name]: value })}
      />
    ))}
    <RoleFilter option="admin.roles" role={search.role} onChange={onChange} />
    <FilterSelect
      label="Signs in with"
      anyLabel="Any method"
      choices={useWaysIn(search.way).map((way) => ({ value: way, label: wayText(way) }))}
      value={search.way}
      onChange={(way) => onChange({ way })}
    />
    {isFiltered(search) && (
      <Button kind="quiet" onClick={() => onChange(noFilters)}>
        Clear filters
      </Button>
    )}
  </div>
);

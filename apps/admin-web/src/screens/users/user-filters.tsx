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
import { t } from "../../texts.ts";

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
    label: t("common.state"),
    anyLabel: t("users.filters.anyState"),
    choices: choicesOf({ banned: t("users.states.banned"), active: t("users.filters.notBanned") }),
  },
  ...(isOffered(signInAnonymous)
    ? [
        {
          name: "kind",
          label: t("users.filters.kind"),
          anyLabel: t("users.filters.users"),
          choices: choicesOf({ guests: t("users.filters.guests") }),
        } as const,
      ]
    : []),
  {
    name: "email",
    label: t("common.email"),
    anyLabel: t("users.filters.anyEmail"),
    choices: choicesOf({
      verified: t("users.emailStates.verified"),
      unverified: t("users.emailStates.unverified"),
    }),
  },
  ...(isOffered(adminResetTwoFactor)
    ? [
        {
          name: "factor",
          label: t("common.secondFactor"),
          anyLabel: t("users.filters.anyFactor"),
          choices: choicesOf({
            on: t("users.filters.withFactor"),
            off: t("users.filters.withoutFactor"),
          }),
        } as const,
      ]
    : []),
  {
    name: "days",
    label: t("users.signedUp"),
    anyLabel: t("users.filters.anyTime"),
    choices: choicesOf({
      1: t("users.filters.today"),
      7: t("ui.range.last", { count: 7 }),
      30: t("ui.range.last", { count: 30 }),
      90: t("ui.range.last", { count: 90 }),
    }),
  },
] as const;

interface UserFiltersProps {
  search: UsersSearch;
  onChange: (patch: Partial<UsersSearch>) => void;
}

/** Filters the users. All filters hold at once. */
export const UserFilters = ({ search, onChange }: UserFiltersProps) => (
  <>
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
      label={t("users.signsInWith")}
      anyLabel={t("users.filters.anyMethod")}
      choices={useWaysIn(search.way).map((way) => ({ value: way, label: wayText(way) }))}
      value={search.way}
      onChange={(way) => onChange({ way })}
    />
    {isFiltered(search) && (
      <Button kind="quiet" onClick={() => onChange(noFilters)}>
        {t("users.filters.clear")}
      </Button>
    )}
  </>
);

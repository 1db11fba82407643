import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { type ListedRow, listQuery } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import type { User } from "./use-user.ts";
import type { UserSearch } from "./user-search.ts";
import { t } from "../../texts.ts";

const { adminListUserOrganizations } = operations.organization;

type Membership = ListedRow<typeof adminListUserOrganizations, "organizations">;

const column = columnsOf<Membership>();

const columns = column.columns([
  column.display({
    id: "name",
    header: t("common.organization"),
    enableHiding: false,
    cell: ({ row: { original } }) => (
      <Link
        to="/organizations/$organizationId"
        params={{ organizationId: original.id }}
        className="rounded-sm font-medium hover:underline"
      >
        <bdi>{original.name}</bdi>
      </Link>
    ),
  }),
  column.display({
    id: "slug",
    header: t("common.slug"),
    meta: { priority: "medium" },
    cell: ({ row }) => <bdi>{row.original.slug}</bdi>,
  }),
  column.display({
    id: "role",
    header: t("common.roles"),
    meta: { width: "w-48", priority: "high" },
    cell: ({ row }) => <RoleBadges role={row.original.role} />,
  }),
  column.display({
    id: "joinedAt",
    header: t("common.joined"),
    meta: { sortBy: "joinedAt", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.joinedAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: t("common.id"),
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => <CopyId id={row.original.id} of={row.original.name} hidesId />,
  }),
]);

const rowId = ({ memberId }: Membership) => memberId;

interface OrganizationsProps {
  user: User;
  search: UserSearch;
}

/** Lists the organizations of a user. */
export const Organizations = ({ user, search: given }: OrganizationsProps) => {
  const search = { ...given, sort: "joinedAt", dir: given.dir ?? ("asc" as const) };
  const state = { ...useTableSearch(given), search };
  const navigate = useNavigate();
  const page = useQuery(
    listQuery(adminListUserOrganizations, "organizations", {
      params: { id: user.id },
      query: pageOf({ dir: search.dir, cursor: search.cursor }),
    }),
  );
  return (
    <DataTable<Membership>
      name="user-organizations"
      rows="organizations"
      columns={columns}
      page={page}
      state={state}
      rowId={rowId}
      rowLabel={({ name }) => name}
      onOpen={({ id }) =>
        void navigate({ to: "/organizations/$organizationId", params: { organizationId: id } })
      }
      empty={<EmptyState title={t("memberships.none")}>{t("memberships.noneText")}</EmptyState>}
    />
  );
};

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { type ListedRow, listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { csvMembers } from "../../components/export/csv-export.ts";
import type { OrganizationsSearch } from "./organizations-search.ts";
import { t } from "../../texts.ts";

const { adminListOrganizations } = operations.organization;

type ListedOrganization = ListedRow<typeof adminListOrganizations, "organizations">;

/** The organizations that the address selects. */
const organizations = listOf({
  operation: adminListOrganizations,
  member: "organizations",
  inputOf: (search: OrganizationsSearch) => ({
    query: { ...pageOf(search), ...(search.q !== undefined && { searchValue: search.q }) },
  }),
  fileName: "organizations",
  csv: csvMembers<ListedOrganization>("id", "name", "slug", "memberCount", "createdAt"),
});

const column = columnsOf<ListedOrganization>();
const organizationColumns = column.columns([
  column.display({
    id: "name",
    header: t("common.organization"),
    enableHiding: false,
    meta: { sortBy: "name" },
    cell: ({ row: { original: organization } }) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={organization.name} isSquare />
        <Link
          to="/organizations/$organizationId"
          params={{ organizationId: organization.id }}
          className="min-w-0 truncate rounded-sm font-medium hover:underline"
        >
          <bdi>{organization.name}</bdi>
        </Link>
      </span>
    ),
  }),
  column.display({
    id: "slug",
    header: t("common.slug"),
    meta: { sortBy: "slug", priority: "medium" },
    cell: ({ row }) => <bdi>{row.original.slug}</bdi>,
  }),
  column.display({
    id: "memberCount",
    header: t("organizations.members"),
    meta: { isNumber: true, width: "w-28", priority: "high" },
    cell: ({ row }) => numberText(row.original.memberCount),
  }),
  column.display({
    id: "createdAt",
    header: t("common.created"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: t("common.id"),
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => <CopyId id={row.original.id} of={row.original.name} hidesId />,
  }),
]);

const CreateOrganization = lazyDialog(
  async () => (await import("./create-organization.tsx")).CreateOrganization,
);

const route = getRouteApi("/shell/organizations");

const rowId = ({ id }: ListedOrganization) => id;

const remove: BulkAction<ListedOrganization> = {
  label: t("common.delete"),
  isDangerous: true,
  consequence: t("organizations.deleteText"),
  typed: t("bulk.typedDelete"),
  run: ({ id }) => call(operations.organization.adminDeleteOrganization, { params: { id } }),
};

export const OrganizationsScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const search = newestFirst(state.search);
  // The owner is chosen from the list of users.
  const mayCreate = may("organization:create") && may("user:list");
  return (
    <Page
      title={t("screens.organizations")}
      aside={
        mayCreate && (
          <Button kind="primary" onClick={() => state.show({ do: "create" })}>
            <Plus />
            {t("palette.createOrganization")}
          </Button>
        )
      }
    >
      <DataTable<ListedOrganization>
        name="organizations"
        rows="organizations"
        columns={organizationColumns}
        page={useQuery(organizations.query(search))}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ name }) => name}
        onOpen={({ id }) =>
          void navigate({ to: "/organizations/$organizationId", params: { organizationId: id } })
        }
        searchLabel={t("organizations.search")}
        exported={organizations.exported(search)}
        bulkActions={may("organization:delete") ? [remove] : []}
        empty={
          <EmptyState title={t("organizations.none")}>{t("organizations.noneText")}</EmptyState>
        }
      />
      <CreateOrganization
        isOpen={mayCreate && search.do === "create"}
        onOpenChange={() => state.show({ do: undefined })}
      />
    </Page>
  );
};

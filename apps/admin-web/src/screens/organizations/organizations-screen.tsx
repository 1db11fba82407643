import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { call } from "../../api/call.ts";
import { operations } from "../../api/contracts.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { organizationColumns } from "./organization-columns.tsx";
import { type ListedOrganization, useOrganizations } from "./use-organizations.ts";

const route = getRouteApi("/shell/organizations");

const rowId = ({ id }: ListedOrganization) => id;

const remove: BulkAction<ListedOrganization> = {
  label: "Delete",
  isDangerous: true,
  consequence:
    "The organizations are permanently deleted with their memberships, invitations, and teams. Their users are kept. This cannot be undone.",
  typed: "delete",
  run: ({ id }) => call(operations.organization.adminDeleteOrganization, { params: { id } }),
};

export const OrganizationsScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = useNavigate();
  const { may } = useAccess();
  // Sorts by newest first, unless the address says otherwise.
  const { sort = "createdAt", dir = sort === "createdAt" ? "desc" : "asc" } = state.search;
  const search = { ...state.search, sort, dir };
  return (
    <Page title="Organizations">
      <DataTable<ListedOrganization>
        name="organizations"
        noun={["organization", "organizations"]}
        columns={organizationColumns}
        page={useOrganizations(search)}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ name }) => name}
        onOpen={({ id }) =>
          void navigate({ to: "/organizations/$organizationId", params: { organizationId: id } })
        }
        searchLabel="Search by name or slug"
        bulkActions={may("organization:delete") ? [remove] : []}
        empty={
          <EmptyState title="No organizations yet">
            Users create organizations in your application.
          </EmptyState>
        }
      />
    </Page>
  );
};

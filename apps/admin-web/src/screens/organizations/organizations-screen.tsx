import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { organizationColumns } from "./organization-columns.tsx";
import type { OrganizationsSearch } from "./organizations-search.ts";
import {
  exportedOrganizations,
  type ListedOrganization,
  useOrganizations,
} from "./use-organizations.ts";

const CreateOrganization = lazyDialog(
  async () => (await import("./create-organization.tsx")).CreateOrganization,
);

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
  const navigate = route.useNavigate();
  const { may } = useAccess();
  // Sorts by newest first, unless the address says otherwise.
  const { sort = "createdAt", dir = sort === "createdAt" ? "desc" : "asc" } = state.search;
  const search = { ...state.search, sort, dir };
  // The owner is chosen from the list of users.
  const mayCreate = may("organization:create") && may("user:list");
  const show = (dialog: OrganizationsSearch["do"]) =>
    void navigate({ to: ".", search: (was) => ({ ...was, do: dialog }), state: true });
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
        actions={
          mayCreate && (
            <Button kind="primary" onClick={() => show("create")}>
              <Plus />
              Create organization
            </Button>
          )
        }
        exported={exportedOrganizations(search)}
        bulkActions={may("organization:delete") ? [remove] : []}
        empty={
          <EmptyState title="No organizations yet">
            Create one here, or let users create them in your application.
          </EmptyState>
        }
      />
      <CreateOrganization
        isOpen={mayCreate && search.do === "create"}
        onOpenChange={() => show(undefined)}
      />
    </Page>
  );
};

import { getRouteApi } from "@tanstack/react-router";
import { UserPlus } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { Button } from "../../components/ui/button.tsx";
import { EmptyState } from "../../components/ui/empty-state.tsx";
import { CreateUser } from "./create-user.tsx";
import { userColumns } from "./user-columns.tsx";
import { UserFilters } from "./user-filters.tsx";
import { useUserBulkActions } from "./use-user-bulk-actions.ts";
import { type User, useUsers } from "./use-users.ts";

const route = getRouteApi("/shell/users");

const rowId = ({ id }: User) => id;

export const UsersScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { may } = useAccess();
  // Sorts by newest first, unless the address says otherwise.
  const { sort = "createdAt", dir = sort === "createdAt" ? "desc" : "asc" } = state.search;
  const search = { ...state.search, sort, dir };
  const setIsCreating = (isOpen: boolean) =>
    void navigate({
      to: ".",
      search: (was) => ({ ...was, do: isOpen ? "create" : undefined }),
      state: true,
    });
  const mayCreate = may("user:create");
  return (
    <Page title="Users">
      <DataTable<User>
        name="users"
        noun={["user", "users"]}
        columns={userColumns}
        page={useUsers(search)}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ email }) => email}
        onOpen={({ id }) => void navigate({ to: "/users/$userId", params: { userId: id } })}
        searchLabel="Search users"
        isFiltered={search.state !== undefined || search.role !== undefined}
        filters={<UserFilters search={search} onChange={state.change} />}
        actions={
          mayCreate && (
            <Button kind="primary" onClick={() => setIsCreating(true)}>
              <UserPlus />
              Create user
            </Button>
          )
        }
        bulkActions={useUserBulkActions()}
        empty={<EmptyState title="No users yet">Users appear here when they sign up.</EmptyState>}
      />
      <CreateUser
        isOpen={mayCreate && search.do === "create"}
        onClose={() => setIsCreating(false)}
      />
    </Page>
  );
};

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { MailPlus, UserPlus } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { useOption } from "../../components/use-option.ts";
import { editableFields } from "../../components/users/field-text.ts";
import { exportedUsers } from "./exported-users.ts";
import { userColumns } from "./user-columns.tsx";
import { UserFilters } from "./user-filters.tsx";
import { useUserBulkActions } from "./use-user-bulk-actions.tsx";
import { type User, usersQuery, withUsualSort } from "./users-query.ts";
import type { UsersSearch } from "./users-search.ts";

/** Whether users may have usernames. */
const takesUsernames = isOffered(operations.identity.signInUsername);

const CreateUser = lazyDialog(async () => (await import("./create-user.tsx")).CreateUser);
const InviteUser = lazyDialog(async () => (await import("./invite-user.tsx")).InviteUser);

const route = getRouteApi("/shell/users");

const rowId = ({ id }: User) => id;

export const UsersScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const search = withUsualSort(state.search);
  const show = (dialog: UsersSearch["do"]) =>
    void navigate({ to: ".", search: (was) => ({ ...was, do: dialog }), state: true });
  const close = () => show(undefined);
  const mayCreate = may("user:create");
  // An invited user chooses a password by a reset link.
  const hasPasswords = useOption("emailAndPassword.enabled") !== false;
  const sendsResets = useOption("emailAndPassword.resetPassword.enabled") !== false;
  const mayInvite = mayCreate && hasPasswords && sendsResets;
  const fields = editableFields(useOption("user.additionalFields"));
  return (
    <Page title="Users">
      <DataTable<User>
        name="users"
        noun={["user", "users"]}
        columns={userColumns}
        page={useQuery(usersQuery(search))}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ email }) => email}
        onOpen={({ id }) => void navigate({ to: "/users/$userId", params: { userId: id } })}
        searchLabel="Search users"
        searchHint={takesUsernames ? "Email, name, username, or ID" : "Email, name, or ID"}
        exported={exportedUsers(search, fields)}
        isFiltered={search.state !== undefined || search.role !== undefined}
        filters={<UserFilters search={search} onChange={state.change} />}
        actions={
          mayCreate && (
            <>
              {mayInvite && (
                <Button onClick={() => show("invite")}>
                  <MailPlus />
                  Invite user
                </Button>
              )}
              <Button kind="primary" onClick={() => show("create")}>
                <UserPlus />
                Create user
              </Button>
            </>
          )
        }
        bulkActions={useUserBulkActions()}
        empty={<EmptyState title="No users yet">Users appear here when they sign up.</EmptyState>}
      />
      <CreateUser isOpen={mayCreate && search.do === "create"} onOpenChange={close} />
      <InviteUser isOpen={mayInvite && search.do === "invite"} onOpenChange={close} />
    </Page>
  );
};

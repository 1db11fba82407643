import { showEmail } from "@latchkey/contracts/email-address.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { MailPlus, UserPlus } from "lucide-react";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { lazy } from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useAccess } from "../../access/use-access.ts";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { useOption } from "../../components/use-option.ts";
import { editableFields } from "../../components/fields/field-text.ts";
import { userCsv } from "./user-csv.ts";
import { type User, userList } from "./user-list.ts";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import { columnsOf } from "../../components/data-table/features.ts";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { Person } from "../../components/users/person.tsx";
import { UserState } from "../../components/users/user-state.tsx";
import { UserFilters } from "./user-filters.tsx";
import { isFiltered, type UsersSearch } from "./users-search.ts";
import { ViewButtons } from "./view-buttons.tsx";
import { t } from "../../texts.ts";

const column = columnsOf<User>();

const userColumns = column.columns([
  column.display({
    id: "user",
    header: t("common.user"),
    enableHiding: false,
    meta: { sortBy: "name", width: "min-w-72" },
    cell: ({ row: { original } }) => <Person {...original} />,
  }),
  column.display({
    id: "role",
    header: t("common.role"),
    meta: { width: "w-28", priority: "medium" },
    cell: ({ row }) => <RoleBadges role={row.original.role ?? ""} />,
  }),
  column.display({
    id: "state",
    header: t("common.state"),
    meta: { width: "w-28", priority: "high" },
    cell: ({ row }) => <UserState user={row.original} />,
  }),
  ...(isOffered(operations.identity.adminResetTwoFactor)
    ? [
        column.display({
          id: "twoFactorEnabled",
          header: t("common.secondFactor"),
          meta: { width: "w-32", priority: "low" },
          cell: ({ row }) =>
            row.original.twoFactorEnabled ? (
              t("common.on")
            ) : (
              <span className="text-muted">{t("common.off")}</span>
            ),
        }),
      ]
    : []),
  column.display({
    id: "lastSignInAt",
    header: t("users.lastSignIn"),
    meta: { width: "w-42", priority: "high" },
    cell: ({ row }) => <RelativeTime at={row.original.lastSignInAt} isStacked />,
  }),
  column.display({
    id: "createdAt",
    header: t("users.signedUp"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: t("common.id"),
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => <CopyId id={row.original.id} of={showEmail(row.original.email)} hidesId />,
  }),
]);

const { adminBanUser, adminUnbanUser, adminRevokeUserSessions, adminRemoveUser } =
  operations.identity;

const BanForm = lazy(async () => ({
  default: (await import("../../components/users/ban-form.tsx")).BanForm,
}));

/** Returns the actions that this admin may take on several users at once. */
const useUserBulkActions = (): BulkAction<User>[] => {
  const { may } = useAccess();
  const ban: BulkAction<User>[] = [
    {
      label: t("users.bulk.ban"),
      consequence: t("users.bulk.banText"),
      run: ({ id }) => call(adminBanUser, { body: { userId: id } }),
      // Keeps no draft, because the selection that it was written for is not kept either.
      form: ({ onStart, onCancel }) => (
        <BanForm
          action={t("users.bulk.ban")}
          onSubmit={(terms) =>
            onStart(({ id }) => call(adminBanUser, { body: { userId: id, ...terms } }))
          }
          onCancel={onCancel}
        />
      ),
    },
    {
      label: t("users.bulk.unban"),
      consequence: t("users.bulk.unbanText"),
      run: ({ id }) => call(adminUnbanUser, { body: { userId: id } }),
    },
  ];
  const revoke: BulkAction<User> = {
    label: t("shell.signOut"),
    consequence: t("users.bulk.signOutText"),
    run: ({ id }) => call(adminRevokeUserSessions, { body: { userId: id } }),
  };
  const remove: BulkAction<User> = {
    label: t("common.delete"),
    isDangerous: true,
    consequence: t("users.bulk.deleteText"),
    typed: t("bulk.typedDelete"),
    run: ({ id }) => call(adminRemoveUser, { body: { userId: id } }),
  };
  return [
    ...(may("user:ban") ? ban : []),
    ...(may("session:revoke") ? [revoke] : []),
    ...(may("user:delete") ? [remove] : []),
  ];
};

/** The values by which a search finds users. */
const searchHint = t("users.searchHint", {
  takesUsernames: isOffered(operations.identity.signInUsername) ? "yes" : "no",
  takesNumbers: isOffered(operations.identity.signInPhoneNumber) ? "yes" : "no",
});

const CreateUser = lazyDialog(async () => (await import("./create-user.tsx")).CreateUser);
const UserPreview = lazyDialog(async () => (await import("./user-preview.tsx")).UserPreview);
const InviteUser = lazyDialog(async () => (await import("./invite-user.tsx")).InviteUser);

const route = getRouteApi("/shell/users");

const rowId = ({ id }: User) => id;

/** Whether this admin may invite users, who choose a password by a reset link. */
const useMayInvite = (): boolean => {
  const { may } = useAccess();
  const hasPasswords = useOption("emailAndPassword.enabled") !== false;
  const sendsResets = useOption("emailAndPassword.resetPassword.enabled") !== false;
  return may("user:create") && hasPasswords && sendsResets;
};

const NewUserButtons = ({ onShow }: { onShow: (patch: Partial<UsersSearch>) => void }) => (
  <>
    {useMayInvite() && (
      <Button onClick={() => onShow({ do: "invite" })}>
        <MailPlus />
        {t("users.invite.title")}
      </Button>
    )}
    <Button kind="primary" onClick={() => onShow({ do: "create" })}>
      <UserPlus />
      {t("users.create.title")}
    </Button>
  </>
);

export const UsersScreen = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const search = newestFirst(state.search);
  const page = useQuery(userList.query(search));
  const close = () => state.show({ do: undefined });
  const mayCreate = may("user:create");
  const mayInvite = useMayInvite();
  const fields = editableFields(useOption("user.additionalFields"));
  return (
    <Page title={t("screens.users")} aside={mayCreate && <NewUserButtons onShow={state.show} />}>
      <DataTable<User>
        name="users"
        rows="users"
        columns={userColumns}
        page={page}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={({ email }) => showEmail(email)}
        onOpen={({ id }) => void navigate({ to: "/users/$userId", params: { userId: id } })}
        searchLabel={t("users.search")}
        searchHint={searchHint}
        exported={userList.exported(search, userCsv(fields))}
        isFiltered={isFiltered(search)}
        filters={<UserFilters search={search} onChange={state.change} />}
        onPreview={({ id }) => state.show({ preview: id })}
        actions={<ViewButtons search={state.search} />}
        bulkActions={useUserBulkActions()}
        empty={<EmptyState title={t("users.none")}>{t("users.noneText")}</EmptyState>}
      />
      <UserPreview
        user={page.data?.rows.find(({ id }) => id === search.preview)}
        isOpen={search.preview !== undefined}
        onOpenChange={() => state.show({ preview: undefined })}
      />
      <CreateUser isOpen={mayCreate && search.do === "create"} onOpenChange={close} />
      <InviteUser isOpen={mayInvite && search.do === "invite"} onOpenChange={close} />
    </Page>
  );
};

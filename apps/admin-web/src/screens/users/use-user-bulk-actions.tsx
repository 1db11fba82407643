import { lazy } from "react";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import type { BulkAction } from "../../components/data-table/data-table-props.ts";
import type { User } from "./users-query.ts";

const { adminBanUser, adminUnbanUser, adminRevokeUserSessions, adminRemoveUser } =
  operations.identity;

const BanForm = lazy(async () => ({
  default: (await import("../../components/users/ban-form.tsx")).BanForm,
}));

/** Returns the actions that this admin may take on several users at once. */
export const useUserBulkActions = (): BulkAction<User>[] => {
  const { may } = useAccess();
  const ban: BulkAction<User>[] = [
    {
      label: "Ban",
      consequence: "The users are signed out everywhere and cannot sign in until you unban them.",
      run: ({ id }) => call(adminBanUser, { body: { userId: id } }),
      // Keeps no draft, because the selection that it was written for is not kept either.
      form: ({ onStart, onCancel }) => (
        <BanForm
          action="Ban"
          isBusy={false}
          onSubmit={(terms) =>
            onStart(({ id }) => call(adminBanUser, { body: { userId: id, ...terms } }))
          }
          onCancel={onCancel}
        />
      ),
    },
    {
      label: "Unban",
      consequence: "The users can sign in again.",
      run: ({ id }) => call(adminUnbanUser, { body: { userId: id } }),
    },
  ];
  const revoke: BulkAction<User> = {
    label: "Sign out",
    consequence: "All sessions of the users end on every device. They can sign in again.",
    run: ({ id }) => call(adminRevokeUserSessions, { body: { userId: id } }),
  };
  const remove: BulkAction<User> = {
    label: "Delete",
    isDangerous: true,
    consequence:
      "The users are permanently deleted with their sessions, accounts, and API keys. This cannot be undone.",
    typed: "delete",
    run: ({ id }) => call(adminRemoveUser, { body: { userId: id } }),
  };
  return [
    ...(may("user:ban") ? ban : []),
    ...(may("session:revoke") ? [revoke] : []),
    ...(may("user:delete") ? [remove] : []),
  ];
};

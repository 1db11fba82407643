import { Link } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { columnsOf } from "../../components/data-table/features.ts";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import type { User } from "./users-query.ts";
import { UserState } from "../../components/users/user-state.tsx";

const column = columnsOf<User>();

export const userColumns = column.columns([
  column.display({
    id: "email",
    header: "User",
    enableHiding: false,
    meta: { sortBy: "email", width: "w-56" },
    cell: ({ row: { original: user } }) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={user.name || user.email} />
        <Link
          to="/users/$userId"
          params={{ userId: user.id }}
          className="min-w-0 truncate rounded font-medium hover:underline"
        >
          <bdi>{user.email}</bdi>
        </Link>
      </span>
    ),
  }),
  column.display({
    id: "name",
    header: "Name",
    meta: { sortBy: "name", priority: "medium" },
    cell: ({ row: { original: user } }) => <bdi title={user.name}>{user.name}</bdi>,
  }),
  column.display({
    id: "role",
    header: "Role",
    meta: { width: "w-28", priority: "medium" },
    cell: ({ row }) => <RoleBadges role={row.original.role ?? ""} />,
  }),
  column.display({
    id: "state",
    header: "State",
    meta: { width: "w-28", priority: "high" },
    cell: ({ row }) => <UserState user={row.original} />,
  }),
  ...(isOffered(operations.identity.adminResetTwoFactor)
    ? [
        column.display({
          id: "twoFactorEnabled",
          header: "Second factor",
          meta: { width: "w-32", priority: "low" },
          cell: ({ row }) => (row.original.twoFactorEnabled ? "On" : "Off"),
        }),
      ]
    : []),
  column.display({
    id: "createdAt",
    header: "Signed up",
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: "ID",
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => <CopyId id={row.original.id} of={row.original.email} hidesId />,
  }),
]);

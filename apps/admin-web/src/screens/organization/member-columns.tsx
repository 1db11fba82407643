import { Link } from "@tanstack/react-router";
import { columnsOf } from "../../components/data-table/features.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { MemberMenu } from "./member-menu.tsx";
import { RoleBadges } from "../../components/roles/role-badges.tsx";
import type { Member } from "./use-organization.ts";

const column = columnsOf<Member>();

const seen = [
  column.display({
    id: "email",
    header: "Member",
    enableHiding: false,
    cell: ({ row: { original: member } }) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={member.user.name || member.user.email} />
        <Link
          to="/users/$userId"
          params={{ userId: member.userId }}
          className="min-w-0 truncate rounded font-medium hover:underline"
        >
          <bdi>{member.user.email}</bdi>
        </Link>
      </span>
    ),
  }),
  column.display({
    id: "name",
    header: "Name",
    meta: { priority: "medium" },
    cell: ({ row }) => <bdi>{row.original.user.name}</bdi>,
  }),
  column.display({
    id: "role",
    header: "Roles",
    meta: { width: "w-48", priority: "high" },
    cell: ({ row }) => <RoleBadges role={row.original.role} />,
  }),
  column.display({
    id: "joined",
    header: "Joined",
    meta: { sortBy: "joined", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: "ID",
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => <CopyId id={row.original.id} of={row.original.user.email} hidesId />,
  }),
];

/** The columns for admins who may only read. */
export const memberColumns = column.columns(seen);

/** The columns for admins who may change members. */
export const changeableMemberColumns = column.columns([
  ...seen,
  column.display({
    id: "actions",
    header: "Actions",
    enableHiding: false,
    meta: { width: "w-20" },
    cell: ({ row }) => <MemberMenu member={row.original} />,
  }),
]);

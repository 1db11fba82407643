import { Link } from "@tanstack/react-router";
import { columnsOf } from "../../components/data-table/features.ts";
import { Avatar } from "@latchkey/ui/components/avatar.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import type { ListedOrganization } from "./use-organizations.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";

const column = columnsOf<ListedOrganization>();
export const organizationColumns = column.columns([
  column.display({
    id: "name",
    header: "Organization",
    enableHiding: false,
    meta: { sortBy: "name" },
    cell: ({ row: { original: organization } }) => (
      <span className="flex items-center gap-2.5">
        <Avatar name={organization.name} />
        <Link
          to="/organizations/$organizationId"
          params={{ organizationId: organization.id }}
          className="min-w-0 truncate rounded font-medium hover:underline"
        >
          <bdi>{organization.name}</bdi>
        </Link>
      </span>
    ),
  }),
  column.display({
    id: "slug",
    header: "Slug",
    meta: { sortBy: "slug", priority: "medium" },
    cell: ({ row }) => <bdi>{row.original.slug}</bdi>,
  }),
  column.display({
    id: "memberCount",
    header: "Members",
    meta: { width: "w-28", priority: "high" },
    cell: ({ row }) => numberText(row.original.memberCount),
  }),
  column.display({
    id: "createdAt",
    header: "Created",
    meta: { sortBy: "createdAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: "ID",
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => <CopyId id={row.original.id} of={row.original.name} hidesId />,
  }),
]);

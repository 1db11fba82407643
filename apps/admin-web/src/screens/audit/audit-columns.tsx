import { getRouteApi } from "@tanstack/react-router";
import { columnsOf } from "../../components/data-table/features.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { CopyId } from "../../components/ui/copy-id.tsx";
import { RelativeTime } from "../../components/ui/relative-time.tsx";
import { entryKey } from "../../components/audit/entry-key.ts";
import type { AuditEntry } from "../../components/audit/read-audit.ts";

const column = columnsOf<AuditEntry>();
const route = getRouteApi("/shell/audit");

const Party = ({ kind, id }: { kind: string; id: string | null }) => (
  <span className="flex items-center gap-1.5">
    {kind}
    {id !== null && <CopyId id={id} of={`this ${kind}`} />}
  </span>
);

export const OutcomeBadge = ({ outcome }: { outcome: string }) => (
  <Badge tone={outcome === "success" ? "success" : "danger"}>{outcome}</Badge>
);

export const auditColumns = column.columns([
  column.display({
    id: "action",
    header: "Action",
    enableHiding: false,
    meta: { width: "w-48" },
    cell: ({ row: { original: entry } }) => (
      <route.Link
        to="."
        search={(was) => ({ ...was, entry: entryKey(entry) })}
        state
        className="block truncate rounded font-medium hover:underline"
      >
        {entry.action}
      </route.Link>
    ),
  }),
  column.display({
    id: "actor",
    header: "By",
    cell: ({ row }) => <Party {...row.original.actor} />,
  }),
  column.display({
    id: "subject",
    header: "To",
    cell: ({ row }) => <Party {...row.original.subject} />,
  }),
  column.display({
    id: "outcome",
    header: "Outcome",
    meta: { width: "w-24" },
    cell: ({ row }) => <OutcomeBadge outcome={row.original.outcome} />,
  }),
  column.accessor((entry) => entry.address || "–", {
    id: "address",
    header: "From",
    meta: { width: "w-30" },
  }),
  column.accessor("service", { header: "Service", meta: { width: "w-26" } }),
  column.display({
    id: "occurredAt",
    header: "When",
    meta: { width: "w-32" },
    cell: ({ row }) => <RelativeTime at={row.original.occurredAt} />,
  }),
]);

import { getRouteApi } from "@tanstack/react-router";
import { AuditSentence } from "../../components/audit/audit-sentence.tsx";
import { AuditParty } from "../../components/audit/audit-party.tsx";
import { sourceLabel } from "../../components/audit/audit-sources.ts";
import { entryKey } from "../../components/audit/entry-key.ts";
import type { AuditEntry } from "../../components/audit/read-audit.ts";
import { columnsOf } from "../../components/data-table/features.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { findText, t } from "../../texts.ts";

const column = columnsOf<AuditEntry>();
const route = getRouteApi("/shell/audit");

const ipv4LengthMax = 15;

export const OutcomeBadge = ({ outcome }: { outcome: string }) => (
  <Badge tone={outcome === "success" ? "success" : "warning"}>
    {findText(`outcomes.states.${outcome}`) ?? outcome}
  </Badge>
);

export const auditColumns = column.columns([
  column.display({
    id: "action",
    header: t("audit.happened"),
    enableHiding: false,
    meta: { width: "min-w-64" },
    cell: ({ row: { original: entry } }) => (
      <route.Link
        to="."
        search={(was) => ({ ...was, entry: entryKey(entry) })}
        state
        title={entry.action}
        className="group flex flex-col rounded-sm leading-tight"
      >
        <span className="truncate font-medium group-hover:underline @max-lg/table:line-clamp-2 @max-lg/table:whitespace-normal">
          <AuditSentence entry={entry} />
        </span>
        <code className="truncate font-mono text-xs text-muted @max-lg/table:hidden">
          {entry.action}
        </code>
      </route.Link>
    ),
  }),
  column.display({
    id: "actor",
    header: t("audit.actor"),
    meta: { priority: "medium" },
    cell: ({ row }) => <AuditParty {...row.original.actor} isStacked />,
  }),
  column.display({
    id: "subject",
    header: t("audit.subject"),
    meta: { priority: "medium" },
    cell: ({ row }) => <AuditParty {...row.original.subject} isStacked />,
  }),
  column.display({
    id: "outcome",
    header: t("audit.outcome"),
    meta: { width: "w-28", priority: "low" },
    cell: ({ row }) => <OutcomeBadge outcome={row.original.outcome} />,
  }),
  column.display({
    id: "address",
    header: t("common.address"),
    meta: { width: "w-38", priority: "low" },
    cell: ({ row: { original } }) => (
      <span
        title={original.address}
        // An IPv6 address has room in two lines.
        className={
          original.address.length > ipv4LengthMax
            ? "block text-xs leading-tight break-all whitespace-normal"
            : undefined
        }
      >
        {original.address || "–"}
      </span>
    ),
  }),
  column.accessor(({ service }) => sourceLabel(service), {
    id: "service",
    header: t("common.service"),
    meta: { width: "w-32", priority: "low" },
  }),
  column.display({
    id: "occurredAt",
    header: t("common.time"),
    meta: { width: "w-42", priority: "high" },
    cell: ({ row }) => <RelativeTime at={row.original.occurredAt} isStacked />,
  }),
]);

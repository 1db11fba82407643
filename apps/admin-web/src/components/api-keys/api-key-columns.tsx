import { Link } from "@tanstack/react-router";
import { columnsOf } from "../data-table/features.ts";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { keyName } from "./key-name.ts";
import { KeyOwner } from "./key-owner.tsx";
import { KeyStateBadge } from "./key-state-badge.tsx";
import type { ApiKey } from "./api-key.ts";
import { numberText } from "@latchkey/ui/components/number-text.ts";
import { t } from "../../texts.ts";

const column = columnsOf<ApiKey>();
const usesLeft = ({ remaining, successorId }: ApiKey): string => {
  if (successorId !== null) return t("apiKeys.usesShared");
  return remaining === null ? t("apiKeys.usesAny") : numberText(remaining);
};

export const apiKeyColumns = column.columns([
  column.display({
    id: "name",
    header: t("apiKeys.key"),
    enableHiding: false,
    cell: ({ row: { original: apiKey } }) => (
      <span className="flex items-baseline gap-2">
        <Link
          to="/api-keys/$keyId"
          params={{ keyId: apiKey.id }}
          className="min-w-0 truncate rounded-sm font-medium hover:underline"
        >
          <bdi>{keyName(apiKey)}</bdi>
        </Link>
        {apiKey.name && <bdi className="font-mono text-xs text-muted">{apiKey.start}</bdi>}
      </span>
    ),
  }),
  column.display({
    id: "owner",
    header: t("common.owner"),
    meta: { priority: "medium" },
    cell: ({ row }) => <KeyOwner apiKey={row.original} />,
  }),
  column.display({
    id: "state",
    header: t("common.state"),
    meta: { width: "w-36", priority: "high" },
    cell: ({ row }) => <KeyStateBadge apiKey={row.original} />,
  }),
  column.display({
    id: "remaining",
    header: t("apiKeys.usesLeft"),
    meta: { isNumber: true, width: "w-22", priority: "medium" },
    cell: ({ row: { original } }) => usesLeft(original),
  }),
  column.display({
    id: "lastRequest",
    header: t("common.lastUsed"),
    meta: { width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.lastRequest} isStacked />,
  }),
  column.display({
    id: "expiresAt",
    header: t("common.expires"),
    meta: { width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.expiresAt} mayBeAhead isStacked />,
  }),
  column.display({
    id: "createdAt",
    header: t("common.created"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
  column.display({
    id: "id",
    header: t("common.id"),
    meta: { width: "w-14", priority: "low" },
    cell: ({ row }) => <CopyId id={row.original.id} of={keyName(row.original)} hidesId />,
  }),
]);

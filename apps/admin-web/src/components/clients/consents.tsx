import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useAccess } from "../../access/use-access.ts";
import { UserLabel } from "../users/user-label.tsx";
import { DataTable } from "../data-table/data-table.tsx";
import type { BulkAction } from "../data-table/data-table-props.ts";
import { columnsOf } from "../data-table/features.ts";
import { type ListedRow, listOf } from "../data-table/list-query.ts";
import { pageOf } from "../data-table/page-of.ts";
import type { TableSearch } from "../data-table/table-search.ts";
import { useSecondTable } from "../data-table/use-table-search.ts";
import { csvMembers } from "../export/csv-export.ts";
import { t } from "../../texts.ts";

const { adminListOauthConsents, adminWithdrawOauthConsents } = operations.oauth;

type Consent = ListedRow<typeof adminListOauthConsents, "consents">;

/** Whose consents are listed: those of the users of a client, or those of a user. */
type Owner = { clientId: string } | { userId: string };

const consentList = listOf({
  operation: adminListOauthConsents,
  member: "consents",
  inputOf: ({ dir, cursor, ...owner }: Pick<TableSearch, "cursor" | "dir"> & Owner) => ({
    query: { ...pageOf({ dir, cursor }), ...owner },
  }),
  fileName: "consents",
  csv: {
    ...csvMembers<Consent>("clientId", "clientName", "userId"),
    scopes: ({ scopes }) => scopes.join(" "),
    ...csvMembers<Consent>("lastUsedAt", "createdAt"),
  },
});

const column = columnsOf<Consent>();

const userColumn = column.display({
  id: "user",
  header: t("common.user"),
  enableHiding: false,
  meta: { width: "min-w-52" },
  cell: ({ row }) => <UserLabel id={row.original.userId} isStacked />,
});

const clientColumn = column.display({
  id: "client",
  header: t("clients.one"),
  enableHiding: false,
  meta: { width: "min-w-52" },
  cell: ({ row: { original } }) => (
    <span className="flex min-w-0 flex-col leading-tight">
      <Link
        to="/clients/$clientId"
        params={{ clientId: original.clientId }}
        className="truncate rounded-sm font-medium hover:underline"
      >
        <bdi>{original.clientName ?? original.clientId}</bdi>
      </Link>
      <bdi className="truncate text-xs text-muted">{original.clientHosts.join(", ")}</bdi>
    </span>
  ),
});

const otherColumns = column.columns([
  column.display({
    id: "scopes",
    header: t("clients.granted"),
    meta: { width: "min-w-40", priority: "medium" },
    cell: ({ row: { original } }) =>
      original.scopes.length > 0 ? (
        <bdi title={original.scopes.join(" ")} className="block truncate font-mono text-xs">
          {original.scopes.join(" ")}
        </bdi>
      ) : (
        <span className="text-muted">{t("clients.notAsked")}</span>
      ),
  }),
  column.display({
    id: "lastUsedAt",
    header: t("common.lastUsed"),
    meta: { width: "w-42", priority: "high" },
    cell: ({ row }) => <RelativeTime at={row.original.lastUsedAt} isStacked />,
  }),
  column.display({
    id: "createdAt",
    header: t("clients.since"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "low" },
    cell: ({ row }) => <RelativeTime at={row.original.createdAt} isStacked />,
  }),
]);

const columnsOfUsers = [userColumn, ...otherColumns];
const columnsOfClients = [clientColumn, ...otherColumns];

const withdraw: BulkAction<Consent> = {
  label: t("clients.withdraw.action"),
  isDangerous: true,
  consequence: t("clients.withdraw.text"),
  run: ({ clientId, userId }) =>
    call(adminWithdrawOauthConsents, { params: { id: clientId }, body: { userId } }),
};

const rowId = ({ id }: Consent) => id;

interface ConsentsProps {
  owner: Owner;
  /** Further buttons of the toolbar. */
  actions?: ReactNode;
}

/** Lists the users of a client or the clients of a user. Their access can be withdrawn. */
export const Consents = ({ owner, actions }: ConsentsProps) => {
  const { may } = useAccess();
  const second = useSecondTable();
  const navigate = useNavigate();
  const isOfClient = "clientId" in owner;
  const { cursor, dir = "desc" } = second.search;
  const search = { ...owner, cursor, dir };
  return (
    <DataTable<Consent>
      name={isOfClient ? "client-users" : "user-clients"}
      rows={isOfClient ? "users" : "clients"}
      columns={isOfClient ? columnsOfUsers : columnsOfClients}
      page={useQuery(consentList.query(search))}
      state={{ ...second, search: { ...second.search, dir, sort: "createdAt" } }}
      rowId={rowId}
      rowLabel={({ clientName, clientId, userId }) =>
        isOfClient ? userId : (clientName ?? clientId)
      }
      onOpen={({ clientId, userId }) =>
        void (isOfClient
          ? navigate({ to: "/users/$userId", params: { userId } })
          : navigate({ to: "/clients/$clientId", params: { clientId } }))
      }
      exported={consentList.exported(search)}
      actions={actions}
      bulkActions={may("oauthClient:update") ? [withdraw] : []}
      empty={
        <EmptyState title={t(isOfClient ? "clients.users.none" : "clients.ofUser.none")}>
          {t(isOfClient ? "clients.users.noneText" : "clients.ofUser.noneText")}
        </EmptyState>
      }
    />
  );
};

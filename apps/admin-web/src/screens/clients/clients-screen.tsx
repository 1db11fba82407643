import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { useAccess } from "../../access/use-access.ts";
import { type Client, clientKinds, clientName, kindOf } from "../../components/clients/client.ts";
import { ClientStateBadge } from "../../components/clients/client-state-badge.tsx";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { columnsOf } from "../../components/data-table/features.ts";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { listOf } from "../../components/data-table/list-query.ts";
import { pageOf } from "../../components/data-table/page-of.ts";
import { newestFirst } from "../../components/data-table/table-search.ts";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { csvMembers } from "../../components/export/csv-export.ts";
import { Page } from "../../components/page.tsx";
import type { ClientsSearch } from "./clients-search.ts";
import { t } from "../../texts.ts";

const { adminListOauthClients } = operations.oauth;

/** The clients that the address selects. Nobody can read their secrets. */
const clientList = listOf({
  operation: adminListOauthClients,
  member: "clients",
  inputOf: ({ sort, dir, cursor, q, state }: ClientsSearch) => ({
    query: {
      ...pageOf({ sort, dir, cursor }),
      ...(q !== undefined && { searchValue: q }),
      ...(state !== undefined && { state }),
    },
  }),
  fileName: "clients",
  csv: {
    ...csvMembers<Client>("client_id", "client_name"),
    kind: kindOf,
    redirect_uris: ({ redirect_uris }) => redirect_uris.join(" "),
    ...csvMembers<Client>("scope", "disabled", "skip_consent", "last_used_at"),
  },
});

const column = columnsOf<Client>();

const clientColumns = column.columns([
  column.display({
    id: "name",
    header: t("clients.one"),
    enableHiding: false,
    meta: { width: "min-w-52" },
    cell: ({ row: { original: client } }) => (
      <span className="flex min-w-0 flex-col leading-tight">
        <Link
          to="/clients/$clientId"
          params={{ clientId: client.client_id }}
          className="truncate rounded-sm font-medium hover:underline"
        >
          <bdi>{clientName(client)}</bdi>
        </Link>
        <bdi className="truncate font-mono text-xs text-muted">{client.client_id}</bdi>
      </span>
    ),
  }),
  column.display({
    id: "kind",
    header: t("clients.kind"),
    meta: { width: "w-52", priority: "medium" },
    cell: ({ row }) => clientKinds[kindOf(row.original)].label,
  }),
  column.display({
    id: "state",
    header: t("common.state"),
    meta: { width: "w-42", priority: "high" },
    cell: ({ row }) => <ClientStateBadge client={row.original} />,
  }),
  column.display({
    id: "lastUsedAt",
    header: t("common.lastUsed"),
    meta: { sortBy: "lastUsedAt", width: "w-42", priority: "medium" },
    cell: ({ row }) => <RelativeTime at={row.original.last_used_at} isStacked />,
  }),
  column.display({
    id: "createdAt",
    header: t("common.created"),
    meta: { sortBy: "createdAt", width: "w-42", priority: "low" },
    cell: ({ row: { original } }) => (
      <RelativeTime at={new Date(original.client_id_issued_at * 1_000).toISOString()} isStacked />
    ),
  }),
]);

const CreateClient = lazyDialog(async () => (await import("./create-client.tsx")).CreateClient);

const route = getRouteApi("/shell/clients");

const states = [
  { value: "enabled", label: t("clients.states.enabled") },
  { value: "disabled", label: t("clients.states.disabled") },
] as const;

const rowId = ({ client_id }: Client) => client_id;

const ClientsTable = () => {
  const state = useTableSearch(route.useSearch());
  const navigate = useNavigate();
  const { may } = useAccess();
  const search = newestFirst(state.search);
  const mayCreate = may("oauthClient:create");
  return (
    <>
      <DataTable<Client>
        name="clients"
        rows="clients"
        columns={clientColumns}
        page={useQuery(clientList.query(search))}
        state={{ ...state, search }}
        rowId={rowId}
        rowLabel={clientName}
        onOpen={({ client_id: clientId }) =>
          void navigate({ to: "/clients/$clientId", params: { clientId } })
        }
        searchLabel={t("clients.search")}
        exported={clientList.exported(search)}
        isFiltered={search.state !== undefined}
        filters={
          <FilterSelect
            label={t("common.state")}
            anyLabel={t("clients.all")}
            choices={states}
            value={search.state}
            onChange={(chosen) => state.change({ state: chosen })}
          />
        }
        actions={
          mayCreate && (
            <Button kind="primary" onClick={() => state.show({ do: "create" })}>
              <Plus />
              {t("clients.create.action")}
            </Button>
          )
        }
        empty={<EmptyState title={t("clients.none")}>{t("clients.noneText")}</EmptyState>}
      />
      {mayCreate && search.do === "create" && (
        <CreateClient isOpen onOpenChange={() => state.show({ do: undefined })} />
      )}
    </>
  );
};

/** The applications to which users sign in. */
export const ClientsScreen = () => (
  <Page title={t("screens.clients")}>
    {isOffered(adminListOauthClients) ? (
      <ClientsTable />
    ) : (
      <EmptyState title={t("clients.off")}>{t("clients.offText")}</EmptyState>
    )}
  </Page>
);

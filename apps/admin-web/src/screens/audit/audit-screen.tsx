import { getRouteApi } from "@tanstack/react-router";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { auditColumns } from "./audit-columns.tsx";
import { AuditFilters } from "./audit-filters.tsx";
import { type AuditSearch, detailNames } from "./audit-search.ts";
import { entryKey } from "../../components/audit/entry-key.ts";
import { ExportAudit } from "./export-audit.tsx";
import type { AuditEntry } from "../../components/audit/read-audit.ts";
import { useAudit } from "./use-audit.ts";

const EntryDrawer = lazyDialog(async () => (await import("./entry-drawer.tsx")).EntryDrawer);

const route = getRouteApi("/shell/audit");

const filterNames = ["service", "outcome", ...detailNames] as const;

/** Removes every filter, for those of one click. */
const unfiltered: Partial<AuditSearch> = Object.fromEntries(
  ["q", "entry", ...filterNames].map((name) => [name, undefined]),
);

const isFiltered = (search: AuditSearch): boolean =>
  filterNames.some((name) => search[name] !== undefined);

export const AuditScreen = () => {
  const state = useTableSearch<AuditSearch>(route.useSearch());
  const { search, change } = state;
  const { cursor: _cursor, entry: shown, ...filter } = search;
  const navigate = route.useNavigate();
  const page = useAudit(search);
  const show = (entry: string | undefined) =>
    void navigate({ to: ".", search: (was) => ({ ...was, entry }), state: true });
  return (
    <Page title="Audit log" aside={<ExportAudit filter={filter} />}>
      <DataTable<AuditEntry>
        name="audit"
        noun={["entry", "entries"]}
        columns={auditColumns}
        page={page}
        state={state}
        rowId={entryKey}
        rowLabel={({ action, subject }) => `${action} ${subject.kind} ${subject.id}`}
        onOpen={(entry) => show(entryKey(entry))}
        searchLabel="Action starts with"
        isFiltered={isFiltered(search)}
        filters={<AuditFilters search={search} onChange={change} />}
        empty={<EmptyState title="No entries yet">Every change is recorded here.</EmptyState>}
      />
      <EntryDrawer
        isOpen={shown !== undefined && page.data !== undefined}
        entry={page.data?.rows.find((entry) => entryKey(entry) === shown)}
        onOpenChange={() => show(undefined)}
        onFilter={(filter) => change({ ...unfiltered, ...filter })}
      />
    </Page>
  );
};

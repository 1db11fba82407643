import { getRouteApi } from "@tanstack/react-router";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { ListFilter } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Popover } from "@latchkey/ui/components/popover.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Page } from "../../components/page.tsx";
import { auditColumns } from "./audit-columns.tsx";
import { type AuditSearch, detailNames } from "./audit-search.ts";
import { entryKey } from "../../components/audit/entry-key.ts";
import { type AuditEntry, keepsLog } from "../../components/audit/read-audit.ts";
import { useAccess } from "../../access/use-access.ts";
import { readMatching, useAudit } from "./use-audit.ts";
import { auditSources, sourceLabel } from "../../components/audit/audit-sources.ts";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import type { AuditFilter } from "../../components/audit/alternatives-of.ts";
import { ExportButton } from "../../components/export/export-button.tsx";
import { csvExport } from "../../components/export/csv-export.ts";
import type { Exported } from "../../components/export/use-export.ts";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

const pageSize = 500;

type Entries = (range: Parameters<typeof readMatching>[1]) => AsyncIterable<AuditEntry>;

const pagesOf = (read: Entries, filter: AuditFilter) =>
  async function* (signal: AbortSignal): AsyncGenerator<readonly AuditEntry[]> {
    let entries: AuditEntry[] = [];
    for await (const entry of read({ filter, limit: pageSize, signal, isPatient: true })) {
      entries.push(entry);
      if (entries.length < pageSize) continue;
      yield entries;
      entries = [];
    }
    yield entries;
  };

/** Exports the entries as lines of JSON, each with its seal. */
const asLines = (read: Entries, filter: AuditFilter): Exported<AuditEntry> => ({
  name: "audit",
  extension: "jsonl",
  type: "application/x-ndjson",
  lineOf: (entry) => `${JSON.stringify(entry)}\n`,
  pages: pagesOf(read, filter),
});

const asCsv = (read: Entries, filter: AuditFilter): Exported<AuditEntry> =>
  csvExport<AuditEntry>({
    name: "audit",
    pages: pagesOf(read, filter),
    columns: {
      id: ({ id }) => id,
      service: ({ service }) => service,
      occurredAt: ({ occurredAt }) => occurredAt,
      action: ({ action }) => action,
      outcome: ({ outcome }) => outcome,
      actorKind: ({ actor }) => actor.kind,
      actorId: ({ actor }) => actor.id,
      subjectKind: ({ subject }) => subject.kind,
      subjectId: ({ subject }) => subject.id,
      address: ({ address }) => address,
      requestId: ({ requestId }) => requestId,
    },
  });

type AuditFormat = "jsonl" | "csv";

const formats = [
  { value: "jsonl", label: t("audit.export.lines") },
  { value: "csv", label: t("audit.export.csv") },
] as const;

/** Exports the entries that match the filters. */
const ExportAudit = ({ filter }: { filter: AuditFilter }) => {
  const { may } = useAccess();
  const [format, setFormat] = useState<AuditFormat>("jsonl");
  const exportedAs = format === "jsonl" ? asLines : asCsv;
  return (
    <ExportButton
      title={t("audit.export.title")}
      exported={exportedAs((range) => readMatching(may, range), filter)}
      rowKind="entries"
      format={{
        choices: formats,
        value: format,
        onChange: (chosen) => setFormat(chosen === "csv" ? "csv" : "jsonl"),
      }}
    >
      <p>
        {richText("audit.export.text", {
          exportCommand: <code className="font-mono">npx latchkey audit export</code>,
          verifyCommand: <code className="font-mono">npx latchkey audit verify</code>,
        })}
      </p>
    </ExportButton>
  );
};

/** Loaded when it is opened, because most visits do not need it. */
const DetailsForm = lazy(async () => ({
  default: (await import("./details-form.tsx")).DetailsForm,
}));

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (patch: Partial<AuditSearch>) => void;
}

const services = auditSources
  .filter(keepsLog)
  .map((value) => ({ value, label: sourceLabel(value) }));

const outcomes = [
  { value: "success", label: t("outcomes.succeeded") },
  { value: "refused", label: t("outcomes.refused") },
] as const;

const MoreFilters = ({ search, onChange }: AuditFiltersProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const count = detailNames.filter((name) => search[name] !== undefined).length;
  return (
    <Popover
      title={t("audit.filters")}
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button>
          <ListFilter />
          {count === 0 ? t("audit.filters") : t("audit.filtersWithCount", { count })}
        </Button>
      }
    >
      <Suspense fallback={<Skeleton className="h-110 w-80 max-w-full" />}>
        <DetailsForm
          search={search}
          onChange={(patch) => {
            setIsOpen(false);
            onChange(patch);
          }}
        />
      </Suspense>
    </Popover>
  );
};

/** The filters of the audit log, except the search box for the action. */
const AuditFilters = ({ search, onChange }: AuditFiltersProps) => (
  <>
    <FilterSelect
      label={t("common.service")}
      anyLabel={t("audit.allServices")}
      choices={services}
      value={search.service}
      onChange={(service) => onChange({ service })}
    />
    <FilterSelect
      label={t("audit.outcome")}
      anyLabel={t("audit.anyOutcome")}
      choices={outcomes}
      value={search.outcome}
      onChange={(outcome) => onChange({ outcome })}
    />
    <MoreFilters search={search} onChange={onChange} />
  </>
);

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
  const { search, change, show } = state;
  const { cursor: _cursor, entry: shown, ...filter } = search;
  const page = useAudit(search);
  return (
    <Page title={t("screens.audit")} aside={<ExportAudit filter={filter} />}>
      <DataTable<AuditEntry>
        name="audit"
        rows="entries"
        columns={auditColumns}
        page={page}
        state={state}
        rowId={entryKey}
        rowLabel={({ action, subject }) => `${action} ${subject.kind} ${subject.id}`}
        onOpen={(entry) => show({ entry: entryKey(entry) })}
        searchLabel={t("audit.search")}
        searchHint={t("audit.searchHint")}
        isFiltered={isFiltered(search)}
        filters={<AuditFilters search={search} onChange={change} />}
        empty={<EmptyState title={t("audit.none")}>{t("audit.noneText")}</EmptyState>}
      />
      <EntryDrawer
        isOpen={shown !== undefined && page.data !== undefined}
        entry={page.data?.rows.find((entry) => entryKey(entry) === shown)}
        onOpenChange={() => show({ entry: undefined })}
        onFilter={(filter) => change({ ...unfiltered, ...filter })}
      />
    </Page>
  );
};

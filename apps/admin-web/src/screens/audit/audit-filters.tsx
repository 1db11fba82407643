import { ListFilter } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { auditSources, sourceLabel } from "../../components/audit/audit-sources.ts";
import { keepsLog } from "../../components/audit/read-audit.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Popover } from "@latchkey/ui/components/popover.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { type AuditSearch, detailNames } from "./audit-search.ts";

/** Loaded when it is opened, because most visits do not need it. */
const DetailsForm = lazy(async () => ({
  default: (await import("./details-form.tsx")).DetailsForm,
}));

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (patch: Partial<AuditSearch>) => void;
}

const services = [
  { value: "all" as const, label: "All services" },
  ...auditSources.filter(keepsLog).map((value) => ({ value, label: sourceLabel(value) })),
];

const outcomes = [
  { value: "all", label: "Any outcome" },
  { value: "success", label: "Succeeded" },
  { value: "refused", label: "Refused" },
] as const;

const MoreFilters = ({ search, onChange }: AuditFiltersProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const count = detailNames.filter((name) => search[name] !== undefined).length;
  return (
    <Popover
      title="Filters"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button>
          <ListFilter />
          {count === 0 ? "Filters" : `Filters (${count})`}
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
export const AuditFilters = ({ search, onChange }: AuditFiltersProps) => (
  <>
    <Select
      label="Service"
      className="w-36"
      choices={services}
      value={search.service ?? "all"}
      onChange={(chosen) => onChange({ service: chosen === "all" ? undefined : chosen })}
    />
    <Select
      label="Outcome"
      className="w-36"
      choices={outcomes}
      value={search.outcome ?? "all"}
      onChange={(chosen) => onChange({ outcome: chosen === "all" ? undefined : chosen })}
    />
    <MoreFilters search={search} onChange={onChange} />
  </>
);

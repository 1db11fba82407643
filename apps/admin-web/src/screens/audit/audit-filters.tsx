import { ListFilter } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { auditedServices } from "../../api/contracts.ts";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Popover } from "../../components/ui/popover.tsx";
import { Select } from "../../components/ui/select.tsx";
import { keepsLog } from "../../components/audit/read-audit.ts";
import type { AuditSearch } from "./audit-search.ts";

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (patch: Partial<AuditSearch>) => void;
}

const services = [
  { value: "all" as const, label: "All services" },
  ...auditedServices.filter(keepsLog).map((value) => ({ value, label: value })),
];

const outcomes = [
  { value: "all", label: "Any outcome" },
  { value: "success", label: "Succeeded" },
  { value: "refused", label: "Refused" },
] as const;

const fields = [
  { name: "actor", label: "Id of who did it", type: "text" },
  { name: "subject", label: "Id of what it was done to", type: "text" },
  { name: "from", label: "First day (UTC)", type: "date" },
  { name: "to", label: "Last day (UTC)", type: "date" },
] as const;

type FieldName = (typeof fields)[number]["name"];

const MoreForm = ({ search, onChange }: AuditFiltersProps) => {
  const { register, handleSubmit } = useForm<Record<FieldName, string>>({
    defaultValues: Object.fromEntries(fields.map(({ name }) => [name, search[name] ?? ""])),
  });
  const apply = (given: Record<FieldName, string>) =>
    onChange(Object.fromEntries(fields.map(({ name }) => [name, given[name].trim() || undefined])));
  return (
    <form
      className="flex w-72 flex-col gap-3"
      onSubmit={(event) => void handleSubmit(apply)(event)}
    >
      {fields.map(({ name, label, type }) => (
        <Field key={name} label={label}>
          <Input {...register(name)} type={type} maxLength={255} autoComplete="off" />
        </Field>
      ))}
      <div className="flex justify-end gap-2">
        <Button onClick={() => apply({ actor: "", subject: "", from: "", to: "" })}>
          Clear these
        </Button>
        <Button type="submit" kind="primary">
          Show
        </Button>
      </div>
    </form>
  );
};

const MoreFilters = ({ search, onChange }: AuditFiltersProps) => {
  const [isOpen, setIsOpen] = useState(false);
  const count = fields.filter(({ name }) => search[name] !== undefined).length;
  return (
    <Popover
      title="Who, what and when"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button>
          <ListFilter />
          {count === 0 ? "Filters" : `Filters (${count})`}
        </Button>
      }
    >
      <MoreForm
        search={search}
        onChange={(patch) => {
          setIsOpen(false);
          onChange(patch);
        }}
      />
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

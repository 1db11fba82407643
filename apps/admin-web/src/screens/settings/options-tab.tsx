import type { ReactNode } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { optionColumns } from "./option-columns.tsx";
import { OptionSource, sourceLabels } from "./option-source.tsx";
import type { SettingsSearch } from "./settings-search.ts";
import type { Option } from "./fitting-options.ts";
import { useSettings } from "./use-settings.ts";

const route = getRouteApi("/shell/settings");

const sources = [
  { value: "all" as const, label: "Any source" },
  ...Object.entries(sourceLabels).map(([value, label]) => ({
    value: value as Option["source"],
    label,
  })),
];

const rowId = ({ name }: Option) => name;

const meanings: Record<Option["source"], string> = {
  default: "Not set anywhere.",
  file: "Set in the configuration file.",
  environment: "Set by an environment variable, which overrides the configuration file.",
};

const howToChange = ({ name, variable }: Option): ReactNode => (
  <>
    {"Set "}
    {variable !== null && (
      <>
        the environment variable <code>{variable}</code>, or{" "}
      </>
    )}
    <code>{name}</code> in the configuration file. Then restart Latchkey.
  </>
);

const OptionDetail = ({ option }: { option: Option }) => (
  <div className="flex flex-col gap-4">
    <p className="break-words">{option.description.replaceAll("`", "")}</p>
    <Facts
      facts={{
        Source: (
          <span className="flex flex-wrap gap-2">
            <OptionSource source={option.source} /> {meanings[option.source]}
          </span>
        ),
        Secret: option.isSecret
          ? "Yes. Secret parts are masked and never leave the service."
          : "No",
        "To change it": howToChange(option),
      }}
    />
    <JsonView label={`Value of ${option.name}`} value={option.value} />
  </div>
);

/** Lists the effective value of every option. */
export const OptionsTab = () => {
  const state = useTableSearch<SettingsSearch>(route.useSearch());
  const { search, change } = state;
  const navigate = route.useNavigate();
  const page = useSettings(search);
  const show = (option: string | undefined) =>
    void navigate({ to: ".", search: (was) => ({ ...was, option }) });
  const shown = page.data?.rows.find(({ name }) => name === search.option);
  return (
    <>
      <DataTable<Option>
        name="settings"
        noun={["option", "options"]}
        columns={optionColumns}
        page={page}
        state={state}
        rowId={rowId}
        rowLabel={rowId}
        onOpen={({ name }) => show(name)}
        searchLabel="Search options"
        isFiltered={search.source !== undefined}
        filters={
          <Select
            label="Source"
            className="w-36"
            choices={sources}
            value={search.source ?? "all"}
            onChange={(chosen) => change({ source: chosen === "all" ? undefined : chosen })}
          />
        }
        empty={<EmptyState title="No options" />}
      />
      <Drawer
        title={shown?.name ?? ""}
        isOpen={shown !== undefined}
        onOpenChange={(isOpen) => !isOpen && show(undefined)}
      >
        {shown && <OptionDetail option={shown} />}
      </Drawer>
    </>
  );
};

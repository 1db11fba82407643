import type { ReactNode } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { DataTable } from "../../components/data-table/data-table.tsx";
import { useTableSearch } from "../../components/data-table/use-table-search.ts";
import { optionColumns } from "./option-columns.tsx";
import { OptionSource, sourceLabels } from "./option-source.tsx";
import type { SettingsSearch } from "./settings-search.ts";
import { type Option, fittingOptions } from "./fitting-options.ts";

const { adminReadSettings } = operations.gateway;

/** Queries the options that the address selects. The server returns all of them; they are searched here. */
const useSettings = (search: SettingsSearch) =>
  useQuery({
    ...operationQuery(adminReadSettings, {}),
    select: ({ options }) => {
      const rows = fittingOptions(options, search);
      return { rows, total: rows.length };
    },
  });

const route = getRouteApi("/shell/settings");

const sources = Object.entries(sourceLabels).map(([value, label]) => ({
  value: value as Option["source"],
  label,
}));

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
  const { search, change, show } = state;
  const page = useSettings(search);
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
        onOpen={({ name }) => show({ option: name })}
        searchLabel="Search options"
        isFiltered={search.source !== undefined}
        filters={
          <FilterSelect
            label="Source"
            anyLabel="Any source"
            choices={sources}
            value={search.source}
            onChange={(source) => change({ source })}
          />
        }
        empty={<EmptyState title="No options" />}
      />
      <Drawer
        title={shown?.name ?? ""}
        isOpen={shown !== undefined}
        onOpenChange={(isOpen) => !isOpen && show({ option: undefined })}
      >
        {shown && <OptionDetail option={shown} />}
      </Drawer>
    </>
  );
};

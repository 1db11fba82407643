import { type ReactNode, useDeferredValue } from "react";
import { getRouteApi } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Drawer } from "@latchkey/ui/components/drawer.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { SearchBox } from "@latchkey/ui/components/search-box.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Table, TableRow } from "@latchkey/ui/components/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { FilterSelect } from "../../components/data-table/filter-select.tsx";
import { totalText } from "../../components/data-table/row-words.ts";
import { type TableState, useTableSearch } from "../../components/data-table/use-table-search.ts";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import {
  fittingOptions,
  groupOptions,
  isChanged,
  type Option,
  type OptionGroup,
  valueText,
} from "./fitting-options.ts";
import type { SettingsSearch } from "./settings-search.ts";
import { richText } from "../../components/rich-text.tsx";
import { t } from "../../texts.ts";

const { adminReadSettings } = operations.gateway;

const route = getRouteApi("/shell/settings");

const tones: Record<Option["source"], BadgeTone> = {
  default: "neutral",
  file: "accent",
  environment: "success",
};

const OptionSource = ({ source }: Pick<Option, "source">) => (
  <Badge tone={tones[source]}>{t(`settings.sources.${source}`)}</Badge>
);

const OptionValue = ({ value, isSecret }: Pick<Option, "value" | "isSecret">) => {
  if (value === null) return <span className="text-muted">{t("fields.notSet")}</span>;
  const text = valueText(value);
  return (
    <span className="flex min-w-0 items-center gap-1.5 font-mono text-xs">
      {isSecret && (
        <>
          <Lock aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
          <span className="sr-only">{t("settings.masked")}</span>
        </>
      )}
      <bdi title={text.slice(0, 1000)} className="truncate">
        {text === "" ? t("settings.empty") : text}
      </bdi>
    </span>
  );
};

const sources = (["default", "file", "environment"] as const).map((value) => ({
  value,
  label: t(`settings.sources.${value}`),
}));

const howToChange = ({ name, variable }: Option): ReactNode => {
  const option = <code>{name}</code>;
  return variable === null
    ? richText("settings.setOption", { option })
    : richText("settings.setVariable", { option, variable: <code>{variable}</code> });
};

const OptionDetail = ({ option }: { option: Option }) => (
  <div className="flex flex-col gap-4">
    {/* Descriptions are in English, as in the documents. */}
    <p lang="en" dir="ltr" className="break-words">
      {option.description.replaceAll("`", "")}
    </p>
    <Facts
      facts={{
        [t("settings.source")]: (
          <span className="flex flex-wrap gap-2">
            <OptionSource source={option.source} /> {t(`settings.meanings.${option.source}`)}
          </span>
        ),
        ...(isChanged(option) && {
          [t("settings.sources.default")]: <OptionValue value={option.default} isSecret={false} />,
        }),
        [t("settings.secret")]: option.isSecret ? t("settings.isSecret") : t("common.no"),
        [t("settings.toChange")]: howToChange(option),
      }}
    />
    <JsonView label={t("settings.valueOf", { name: option.name })} value={option.value} />
  </div>
);

const columns = [t("settings.option"), t("settings.value"), t("settings.source")];
const widths = ["w-2/5", "w-2/5"];

const NoOptions = ({ onClear }: { onClear: () => void }) => (
  <Card>
    <EmptyState
      title={t("ui.noResultsTitle")}
      action={<Button onClick={onClear}>{t("table.clearSearch")}</Button>}
    >
      {t("table.noResultsText")}
    </EmptyState>
  </Card>
);

const Group = ({ title, options }: OptionGroup) => {
  const changedCount = options.filter(isChanged).length;
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="flex items-baseline gap-2 text-lg font-semibold">
        {title}
        {changedCount > 0 && (
          <span className="text-xs font-normal text-muted">
            {t("settings.changed", { count: changedCount })}
          </span>
        )}
      </h2>
      <Card className="p-0">
        <Table label={title} columns={columns} widths={widths}>
          {options.map((option) => (
            <TableRow
              key={option.name}
              cells={{
                option: (
                  <route.Link
                    to="."
                    search={(was) => ({ ...was, option: option.name })}
                    title={option.name}
                    className="block rounded-sm font-medium hover:underline max-sm:break-all sm:truncate"
                  >
                    {option.name}
                  </route.Link>
                ),
                value: (
                  <span className="flex flex-col py-1">
                    <OptionValue {...option} />
                    {isChanged(option) && (
                      <span className="flex min-w-0 gap-1 text-xs text-muted">
                        {richText("settings.defaultIs", {
                          value: <OptionValue value={option.default} isSecret={false} />,
                        })}
                      </span>
                    )}
                  </span>
                ),
                source: <OptionSource source={option.source} />,
              }}
            />
          ))}
        </Table>
      </Card>
    </section>
  );
};

/** The groups that are rendered first: about as many as a laptop shows. */
const firstGroups = 2;

const Groups = ({ options }: { options: readonly Option[] }) => {
  const groups = groupOptions(options);
  // The first screen is usable before the groups below it are rendered.
  const count = useDeferredValue(groups.length, firstGroups);
  return groups.slice(0, count).map((group) => <Group key={group.title} {...group} />);
};

const Filters = ({ search, change }: Pick<TableState<SettingsSearch>, "search" | "change">) => (
  <div className="flex flex-wrap items-center gap-2">
    <SearchBox
      label={t("settings.search")}
      hint={t("settings.searchHint")}
      value={search.q ?? ""}
      onChange={(text) => change({ q: text || undefined })}
    />
    <FilterSelect
      label={t("settings.source")}
      anyLabel={t("settings.anySource")}
      choices={sources}
      value={search.source}
      onChange={(source) => change({ source })}
    />
    <button
      type="button"
      aria-pressed={search.changed !== undefined}
      data-filled={search.changed !== undefined || undefined}
      className="ui-chip pe-3"
      onClick={() => change({ changed: search.changed === undefined ? "1" : undefined })}
    >
      {t("settings.changedOnly")}
    </button>
  </div>
);

/** Shows the effective value of every option by group. */
export const OptionsTab = () => {
  const { search, change, show } = useTableSearch<SettingsSearch>(route.useSearch());
  const reading = useQuery(operationQuery(adminReadSettings, {}));
  const { data, error, refetch } = reading;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const options = fittingOptions(data?.options ?? [], search);
  const shown = data?.options.find(({ name }) => name === search.option);
  return (
    <div className="flex flex-col gap-5">
      <Filters {...{ search, change }} />
      <StaleNotice reading={reading} />
      {data ? (
        <p role="status" className="-mb-2 text-muted">
          {totalText(options.length, "options")}
        </p>
      ) : (
        <Skeleton className="h-96" />
      )}
      {data && options.length === 0 && (
        <NoOptions
          onClear={() => change({ q: undefined, source: undefined, changed: undefined })}
        />
      )}
      <Groups options={options} />
      <Drawer
        title={shown?.name ?? ""}
        isOpen={shown !== undefined}
        onOpenChange={(isOpen) => !isOpen && show({ option: undefined })}
      >
        {shown && <OptionDetail option={shown} />}
      </Drawer>
    </div>
  );
};

import { getRouteApi } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { columnsOf } from "../../components/data-table/features.ts";
import { type Option, valueText } from "./fitting-options.ts";
import { OptionSource } from "./option-source.tsx";

const column = columnsOf<Option>();
const route = getRouteApi("/shell/settings");

const OptionValue = ({ value, isSecret }: Pick<Option, "value" | "isSecret">) => {
  if (value === null) return <span className="text-muted">Not set</span>;
  const text = valueText(value);
  return (
    <span className="flex items-center gap-1.5 font-mono text-xs">
      {isSecret && (
        <>
          <Lock aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
          <span className="sr-only">Secret, masked:</span>
        </>
      )}
      <bdi title={text.slice(0, 1000)} className="truncate">
        {text === "" ? "(empty)" : text}
      </bdi>
    </span>
  );
};

export const optionColumns = column.columns([
  column.display({
    id: "name",
    header: "Option",
    enableHiding: false,
    cell: ({ row: { original: option } }) => (
      <route.Link
        to="."
        search={(was) => ({ ...was, option: option.name })}
        title={option.name}
        className="block truncate rounded-sm font-medium hover:underline"
      >
        {option.name}
      </route.Link>
    ),
  }),
  column.display({
    id: "value",
    header: "Value",
    cell: ({ row }) => <OptionValue {...row.original} />,
  }),
  column.display({
    id: "source",
    header: "Source",
    meta: { width: "w-36", priority: "high" },
    cell: ({ row }) => <OptionSource source={row.original.source} />,
  }),
]);

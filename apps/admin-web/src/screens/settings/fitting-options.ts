import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";
import { findText } from "../../texts.ts";

export type Option = CallReply<typeof operations.gateway.adminReadSettings>["options"][number];

/** Formats a value as one line for search and display. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");

/** Whether the value of an option differs from its default. */
export const isChanged = (option: Option): boolean => "default" in option;

interface OptionFilter {
  readonly q?: string | undefined;
  readonly source?: Option["source"] | undefined;
  /** Leaves out the options that have their default. */
  readonly changed?: string | undefined;
}

/** Returns the options that pass the filters and whose name, description or value contains every word of a text, ignoring case. */
export const fittingOptions = (
  options: readonly Option[],
  { q = "", source, changed }: OptionFilter,
): Option[] => {
  const words = q.toLocaleLowerCase("en").split(/\s+/).filter(Boolean);
  return options.filter((option) => {
    const text =
      `${option.name} ${option.description} ${valueText(option.value)}`.toLocaleLowerCase("en");
    const isFrom = source === undefined || option.source === source;
    const isShown = changed === undefined || isChanged(option);
    return isFrom && isShown && words.every((word) => text.includes(word));
  });
};

export interface OptionGroup {
  readonly title: string;
  readonly options: readonly Option[];
}

/** The group of each option at the top of the configuration that belongs to another one than the first. */
const groupOfName: Readonly<Record<string, string>> = {
  databaseUrl: "databases",
  directDatabaseUrl: "databases",
  redisUrl: "databases",
};

const titleOf = (group: string): string => findText(`settings.groups.${group}`) ?? group;

/** Groups options by the part of the configuration that they belong to, in its order. Within a group, changed ones come first. */
export const groupOptions = (options: readonly Option[]): OptionGroup[] => {
  const groupOf = ({ name }: Option) => {
    const [first = "", ...rest] = name.split(".");
    return titleOf(groupOfName[first] ?? (rest.length > 0 ? first : "general"));
  };
  return [...Map.groupBy(options, groupOf)].map(([title, members]) => ({
    title,
    options: members.toSorted((one, other) => Number(isChanged(other)) - Number(isChanged(one))),
  }));
};

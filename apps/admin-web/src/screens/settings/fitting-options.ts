import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

export type Option = CallReply<typeof operations.gateway.adminReadSettings>["options"][number];

/** Formats a value as one line for search and display. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");

interface OptionFilter {
  readonly q?: string | undefined;
  readonly source?: Option["source"] | undefined;
}

/** Returns the options from a source whose name, description or value contains every word of a text, ignoring case. */
export const fittingOptions = (
  options: readonly Option[],
  { q = "", source }: OptionFilter,
): Option[] => {
  const words = q.toLocaleLowerCase("en").split(/\s+/).filter(Boolean);
  return options.filter((option) => {
    const text =
      `${option.name} ${option.description} ${valueText(option.value)}`.toLocaleLowerCase("en");
    const isFrom = source === undefined || option.source === source;
    return isFrom && words.every((word) => text.includes(word));
  });
};

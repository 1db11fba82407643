import type { Option } from "./use-settings.ts";

/** A value in one line, as it is searched and shown. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "null");

interface OptionFilter {
  readonly q?: string | undefined;
  readonly source?: Option["source"] | undefined;
}

/** The options in whose name or value every word of a text stands, in any case, and that come from a source. */
export const fittingOptions = (
  options: readonly Option[],
  { q = "", source }: OptionFilter,
): Option[] => {
  const words = q.toLocaleLowerCase("en").split(/\s+/).filter(Boolean);
  return options.filter((option) => {
    const text = `${option.name} ${valueText(option.value)}`.toLocaleLowerCase("en");
    const isFrom = source === undefined || option.source === source;
    return isFrom && words.every((word) => text.includes(word));
  });
};

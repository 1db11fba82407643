import { t } from "../../texts.ts";

/**
 * The outcomes of a key's use by their names in the counts. The chart, its legend, its values and the table show them in this order.
 * Each has a pattern, because colours alone do not tell them apart for everyone.
 */
export const outcomes = [
  {
    name: "valid",
    label: t("apiKey.outcomes.valid"),
    color: "var(--color-chart-1)",
    pattern: "M0 0H8V8H0Z",
  },
  {
    name: "rateLimited",
    label: t("apiKey.outcomes.rateLimited"),
    color: "var(--color-chart-2)",
    pattern: "M0 8L8 0M-2 2L2 -2M6 10L10 6",
  },
  {
    name: "exhausted",
    label: t("apiKey.outcomes.exhausted"),
    color: "var(--color-chart-3)",
    pattern: "M0 2H8M0 6H8",
  },
  {
    name: "expired",
    label: t("apiKey.outcomes.expired"),
    color: "var(--color-chart-6)",
    pattern: "M2 0V8M6 0V8",
  },
  {
    name: "disabled",
    label: t("apiKey.outcomes.disabled"),
    color: "var(--color-chart-4)",
    pattern: "M0 0L8 8M0 8L8 0",
  },
  {
    name: "forbidden",
    label: t("apiKey.outcomes.forbidden"),
    color: "var(--color-chart-5)",
    pattern: "M1 1H4V4H1ZM5 5H8V8H5Z",
  },
] as const;

export type Outcome = (typeof outcomes)[number]["name"];

/** The fill of an outcome. `OutcomePatterns` must be on the page. */
export const fillOf = (name: Outcome): string => `url(#use-${name})`;

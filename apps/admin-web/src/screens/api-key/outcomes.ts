/** The outcomes of a key's use by their names in the counts, in display order. */
export const outcomes = [
  { name: "valid", label: "Valid", color: "var(--color-success)" },
  { name: "rateLimited", label: "Rate limited", color: "var(--color-warning)" },
  { name: "exhausted", label: "No uses left", color: "var(--color-accent)" },
  { name: "expired", label: "Expired", color: "var(--color-edge)" },
  { name: "disabled", label: "Disabled or banned", color: "var(--color-danger)" },
  { name: "forbidden", label: "Not permitted", color: "var(--color-ink)" },
] as const;

export type Outcome = (typeof outcomes)[number]["name"];

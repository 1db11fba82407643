export type FormValues = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const kindOf = (value: unknown): string => (Array.isArray(value) ? "list" : typeof value);

/** Returns what the user has changed in a form, without the excluded fields. */
export const draftOf = (
  values: FormValues,
  defaults: FormValues,
  excluded: readonly string[],
): FormValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !excluded.includes(name) && !isSame(value, defaults[name]),
    ),
  );

/** Returns the members of a draft that fit into a form. An earlier version of the page may have had other fields. */
export const fittingDraft = (draft: unknown, defaults: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(draft ?? {}).filter(
      ([name, value]) => name in defaults && kindOf(value) === kindOf(defaults[name]),
    ),
  );

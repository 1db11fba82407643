import type { SignUpField } from "@latchkey/contracts";

/** Returns the required fields without a value, such as those of a user whom an admin or an import has created. */
export const missingFields = (
  fields: readonly SignUpField[],
  user: Readonly<Record<string, unknown>>,
): readonly SignUpField[] =>
  fields.filter(
    ({ name, required, returned }) => required && returned && (user[name] ?? null) === null,
  );

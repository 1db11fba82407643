import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { messageOf } from "./advice-of.ts";

/** Error messages of the server, by the name of the form field. */
export type Faults<Name extends string> = Partial<Record<Name, string>>;

/**
 * Returns the server's error messages by form field: those that name a field and those whose code is about one. Returns an empty
 * object if the error is about no field.
 */
export const faultsOf = <Name extends string>(
  error: unknown,
  names: readonly Name[],
  byCode: Readonly<Record<string, Name>> = {},
): Faults<Name> => {
  if (!(error instanceof ApiError)) return {};
  const faults: Faults<Name> = {};
  for (const { path, message } of error.issues) {
    const name = names.find((known) => path === known || path.startsWith(`${known}.`));
    if (name) faults[name] ??= `This ${message}.`;
  }
  const named = error.code && Object.hasOwn(byCode, error.code) ? byCode[error.code] : undefined;
  if (named) faults[named] ??= messageOf(error);
  return faults;
};

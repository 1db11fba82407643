import { ApiError } from "./api-error.ts";
import { messageOf } from "./advice-of.ts";

/** What the server found wrong with members of a form, by their names. */
export type Faults<Name extends string> = Partial<Record<Name, string>>;

/**
 * Tells which members of a form an error is about: what it says of them itself, and what its code is about. Empty where it is
 * about something else.
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

import { ApiError } from "../api/api-error.ts";
import type { Explanation } from "../errors/explain-error.ts";

/** Error texts of the server, by the name of the form field. */
export type Faults<Name extends string> = Partial<Record<Name, string>>;

/** The fields of error codes, by the names that forms give them. */
const fieldsByCode: Readonly<Record<string, readonly string[]>> = {
  INVALID_EMAIL: ["email"],
  USER_ALREADY_EXISTS: ["email"],
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: ["email"],
  USERNAME_IS_TOO_SHORT: ["username"],
  USERNAME_IS_TOO_LONG: ["username"],
  USERNAME_IS_INVALID: ["username"],
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: ["username"],
  INVALID_PASSWORD: ["password", "currentPassword"],
  INVALID_PHONE_NUMBER: ["phoneNumber"],
  PHONE_NUMBER_EXIST: ["phoneNumber"],
  INVALID_OTP: ["otp", "code"],
  INVALID_CODE: ["code"],
  INVALID_BACKUP_CODE: ["code"],
  PASSWORD_TOO_SHORT: ["password", "newPassword"],
  PASSWORD_TOO_LONG: ["password", "newPassword"],
  PASSWORD_COMPROMISED: ["password", "newPassword"],
  ORGANIZATION_ALREADY_EXISTS: ["slug"],
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: ["name"],
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: ["prefix"],
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED: ["url"],
  THE_CONTACT_OF_THE_WEBHOOK_IS_NOT_ALLOWED: ["contactEmail"],
};

interface FieldNames<Name extends string> {
  /** The fields that show errors. */
  names: readonly Name[];
  /** The fields of more error codes, and of values that the operation names differently. */
  fieldOf?: Readonly<Record<string, Name>> | undefined;
  explain: (error: unknown) => Explanation;
  /** Words a fault of a field, such as "must not be empty". Used by webs that show messages of the server. */
  issueText?: ((issue: string) => string | undefined) | undefined;
}

/**
 * Returns the server's error texts by form field: those that name a field and those whose code is about one. Returns an empty object
 * if the error is about none of them.
 */
export const faultsOf = <Name extends string>(
  error: unknown,
  { names, fieldOf = {}, explain, issueText }: FieldNames<Name>,
): Faults<Name> => {
  if (!(error instanceof ApiError)) return {};
  const fieldNamed = (path: string): Name | undefined => {
    const field = Object.hasOwn(fieldOf, path) ? fieldOf[path] : path;
    return names.find((name) => name === field);
  };
  const faults: Faults<Name> = {};
  const { message, advice } = explain(error);
  for (const { path, message: issue } of error.issues) {
    const name = fieldNamed(path) ?? fieldNamed(path.split(".", 1)[0] ?? "");
    // Issues are in English, as all messages of the server are.
    if (name) faults[name] ??= advice === undefined ? message : (issueText?.(issue) ?? issue);
  }
  const { code = "" } = error;
  const usual = Object.hasOwn(fieldsByCode, code) ? fieldsByCode[code] : undefined;
  const named = fieldNamed(code) ?? names.find((name) => usual?.includes(name));
  if (named) faults[named] ??= message;
  return faults;
};

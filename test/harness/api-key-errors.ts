import { expect } from "vitest";
import type { Verification } from "./api-keys.ts";
import { errorResponse } from "./responses.ts";

/** Answer of a verification that refuses a key. */
const refused = (code: string, message: string): Verification => ({
  valid: false,
  error: { code, message },
  key: null,
});

/** Every way in which a verification refuses a key, except `RATE_LIMITED`, which includes a time. */
export const refusedVerifications = {
  malformed: refused("KEY_NOT_FOUND", "Invalid API key."),
  unknown: refused("INVALID_API_KEY", "Invalid API key."),
  disabled: refused("KEY_DISABLED", "API Key is disabled"),
  expired: refused("KEY_EXPIRED", "API Key has expired"),
  banned: refused("USER_IS_BANNED", "User is banned"),
  forbidden: refused("KEY_NOT_FOUND", "API Key not found"),
  exhausted: refused("USAGE_EXCEEDED", "API Key has reached its usage limit"),
} as const;

/** Every error of the operations of keys, as clients see it. */
export const errors = {
  invalidSession: errorResponse(
    401,
    "UNAUTHORIZED_OR_INVALID_SESSION",
    "Unauthorized or invalid session",
  ),
  unauthorized: errorResponse(401, "UNAUTHORIZED", "Unauthorized"),
  forbidden: errorResponse(403, "FORBIDDEN", "Forbidden"),
  banned: errorResponse(401, "USER_IS_BANNED", "User is banned"),
  userNotFound: errorResponse(400, "USER_NOT_FOUND", "User not found"),
  retired: errorResponse(409, "API_KEY_IS_RETIRED", "API Key is retired"),
  notFound: errorResponse(404, "API_KEY_NOT_FOUND", "API Key not found"),
  serverOnly: errorResponse(
    400,
    "THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY",
    "The property you're trying to set can only be set from the server auth instance only.",
  ),
  metadataDisabled: errorResponse(400, "METADATA_IS_DISABLED", "Metadata is disabled."),
  metadataType: errorResponse(
    400,
    "METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED",
    "metadata must be an object or undefined",
  ),
  amountAlone: errorResponse(
    400,
    "REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED",
    "refillAmount is required when refillInterval is provided",
  ),
  intervalAlone: errorResponse(
    400,
    "REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED",
    "refillInterval is required when refillAmount is provided",
  ),
  expiryDisabled: errorResponse(
    400,
    "CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED",
    "Custom key expiration values are disabled.",
  ),
  expiresTooSoon: errorResponse(
    400,
    "THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE",
    "The expiresIn is smaller than the predefined minimum value.",
  ),
  expiresTooLate: errorResponse(
    400,
    "THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE",
    "The expiresIn is larger than the predefined maximum value.",
  ),
  prefixLength: errorResponse(
    400,
    "THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL",
    "The prefix length is either too large or too small.",
  ),
  nameLength: errorResponse(
    400,
    "THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL",
    "The name length is either too large or too small.",
  ),
  nothingToUpdate: errorResponse(400, "NO_VALUES_TO_UPDATE", "No values to update."),
} as const;

/** The answer to input that the schema rejects, with the invalid members. */
export const validationError = (part: "body" | "query", ...paths: string[]) => ({
  status: 400,
  body: {
    code: "VALIDATION_ERROR",
    message: `Invalid ${part} parameters`,
    issues: paths.map((path) => ({ path, message: expect.any(String) as string })),
  },
  cookies: [],
});

/** The answer of an operation that does not exist. */
export const operationMissing = { status: 404, body: undefined, cookies: [] };

/** A failing function or operation reveals nothing. */
export const internalError = { status: 500, body: undefined, cookies: [] };

/** Every way in which a key is refused as a session, except its rate limit, which includes a time. */
export const keyRefusals = {
  malformed: errorResponse(403, "INVALID_API_KEY", "Invalid API key."),
  unknown: errorResponse(401, "INVALID_API_KEY", "Invalid API key."),
  disabled: errorResponse(401, "KEY_DISABLED", "API Key is disabled"),
  expired: errorResponse(401, "KEY_EXPIRED", "API Key has expired"),
  exhausted: errorResponse(401, "USAGE_EXCEEDED", "API Key has reached its usage limit"),
  forbidden: errorResponse(403, "FORBIDDEN", "Forbidden"),
  banned: errorResponse(401, "USER_IS_BANNED", "User is banned"),
  getter: errorResponse(
    400,
    "API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING",
    "API Key getter returned an invalid key type. Expected string.",
  ),
} as const;

interface ErrorResponse {
  body: { code: string };
}

/**
 * For each check, returns a body that fails it and all later ones, with the expected answer of that check alone. `right` holds
 * the other required members.
 */
export const checksInOrder = <T extends ErrorResponse>(
  checks: readonly (readonly [wrong: object, expected: T])[],
  right: object = {},
) =>
  checks.map(([, expected], index) => {
    const wrongs = checks.slice(index).map(([wrong]) => wrong);
    const body = Object.assign({}, right, ...wrongs.toReversed()) as object;
    return { code: expected.body.code, body, expected };
  });

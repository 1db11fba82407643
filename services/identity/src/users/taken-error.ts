import { WireError } from "@latchkey/contracts";
import { isUniqueViolation } from "@latchkey/service-kit";

/** Maps a unique violation to an error: usernames have their own. Returns other errors unchanged. */
export const takenError = (error: unknown, otherwise: WireError): unknown => {
  if (!isUniqueViolation(error)) return error;
  const { constraint } = error as { constraint?: string };
  return constraint === "user_username_key"
    ? new WireError("USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER")
    : otherwise;
};

/** Returns whether the error means that the account at a provider is linked already. */
export const isAccountTaken = (error: unknown): boolean =>
  isUniqueViolation(error) &&
  (error as { constraint?: string }).constraint === "account_of_provider";

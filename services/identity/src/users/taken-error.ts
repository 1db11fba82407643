import { WireError } from "@latchkey/contracts";
import { isUniqueViolation } from "@latchkey/service-kit";

/** Which refusal tells that something unique of a user is taken: a username has its own. Other errors stay what they are. */
export const takenError = (error: unknown, otherwise: WireError): unknown => {
  if (!isUniqueViolation(error)) return error;
  const { constraint } = error as { constraint?: string };
  return constraint === "user_username_key"
    ? new WireError("USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER")
    : otherwise;
};

/** Whether it tells that an account at a provider is somebody's already. */
export const isAccountTaken = (error: unknown): boolean =>
  isUniqueViolation(error) &&
  (error as { constraint?: string }).constraint === "account_of_provider";

import { WireError } from "@latchkey/contracts";

/** Rejects a new password outside of the configured length, counted in UTF-16 units before normalisation. */
export const checkPasswordLength = (
  password: string,
  bounds: { minPasswordLength: number; maxPasswordLength: number },
): void => {
  if (password.length < bounds.minPasswordLength) throw new WireError("PASSWORD_TOO_SHORT");
  if (password.length > bounds.maxPasswordLength) throw new WireError("PASSWORD_TOO_LONG");
};

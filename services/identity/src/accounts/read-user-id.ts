import { WireError } from "@latchkey/contracts";

/** Returns the user id that a service names. Throws `EITHER_USERID_OR_SESSION_IS_REQUIRED` if it names none. */
export const readUserId = ({ userId }: { userId?: string | undefined }): string => {
  if (!userId) throw new WireError("EITHER_USERID_OR_SESSION_IS_REQUIRED");
  return userId;
};

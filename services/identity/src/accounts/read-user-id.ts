import { WireError } from "@latchkey/contracts";

/** The user whom a service names. Throws `EITHER_USERID_OR_SESSION_IS_REQUIRED` where it names none. */
export const readUserId = ({ userId }: { userId?: string | undefined }): string => {
  if (!userId) throw new WireError("EITHER_USERID_OR_SESSION_IS_REQUIRED");
  return userId;
};

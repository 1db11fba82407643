import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";

/** Whether users may have and sign in by usernames. */
export const takesUsernames = isOffered(operations.identity.signInUsername);

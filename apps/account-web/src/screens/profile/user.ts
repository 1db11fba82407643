import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

/** The signed-in user as the session contains it. */
export type User = NonNullable<CallReply<typeof operations.identity.getSession>>["user"];

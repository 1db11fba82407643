import type { CallReply } from "@latchkey/ui/api/call.ts";
import type { operations } from "@latchkey/ui/api/contracts.ts";

/** A user as listed by `adminListUsers`. */
export type User = CallReply<typeof operations.identity.adminListUsers>["users"][number];

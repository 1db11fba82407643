import type { CallReply } from "../../api/call.ts";
import type { operations } from "../../api/contracts.ts";

/** A user as listed by `adminListUsers`. */
export type User = CallReply<typeof operations.identity.adminListUsers>["users"][number];

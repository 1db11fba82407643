import type { CallReply } from "../../api/call.ts";
import type { operations } from "../../api/contracts.ts";

/** A user as a list of them has it. */
export type User = CallReply<typeof operations.identity.adminListUsers>["users"][number];

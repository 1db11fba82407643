import type { Operation } from "@latchkey/contracts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { idlePermissions } from "@latchkey/ui/api/features.ts";
import { pageFacts } from "@latchkey/ui/page-facts.ts";

const idle = idlePermissions(
  pageFacts.features,
  Object.values(operations).flatMap((owned): Operation[] => Object.values(owned)),
);

/** Whether a permission, such as `user:ban`, allows anything in this installation. */
export const isOfUse = (permission: string): boolean => !idle.has(permission);

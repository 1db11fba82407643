import type { Operation } from "@latchkey/contracts";
import { pageFacts } from "../page-facts.ts";
import { operations } from "./contracts.ts";
import { idlePermissions, isOfferedBy } from "./features.ts";

/** Whether this installation offers an operation. Operations of a feature that is off do not exist. */
export const isOffered = (operation: Operation): boolean =>
  isOfferedBy(pageFacts.features, operation);

const idle = idlePermissions(
  pageFacts.features,
  Object.values(operations).flatMap((owned): Operation[] => Object.values(owned)),
);

/** Whether a permission, such as `user:ban`, allows anything in this installation. */
export const isOfUse = (permission: string): boolean => !idle.has(permission);

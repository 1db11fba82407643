import type { Operation } from "@latchkey/contracts";
import { pageFacts } from "../page-facts.ts";
import { isOfferedBy } from "./features.ts";

/** Whether this installation offers an operation. Operations of a feature that is off do not exist. */
export const isOffered = (operation: Operation): boolean =>
  isOfferedBy(pageFacts.features, operation);

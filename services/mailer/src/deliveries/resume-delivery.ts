import type { EventData } from "@latchkey/contracts";
import { UnretryableError } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { attemptDelivery, type AttemptDeliveryNeeds } from "./attempt-delivery.ts";
import { findEventId } from "./queries.ts";

type Needs = AttemptDeliveryNeeds & Pick<Deps, "bus">;

/** Returns whether the original message of a mail will still run or has just failed. */
const isDriven = async ({ bus }: Needs, eventId: string): Promise<boolean> => {
  const state = (await bus.states("mailer", [eventId])).get(eventId);
  return state === "pending" || state === "failed";
};

/**
 * Resumes a mail that an admin has retried. The bus retries the mail's original message, which then drives the attempts as
 * before. If the bus has forgotten that message, this one drives them.
 * A mail fails a moment before its message does. Until then this message waits, because otherwise the original would stay among
 * the failed ones after the mail was sent. For the same reason, if this message's attempts fail, only the mail is marked as
 * failed.
 */
export const resumeDelivery = async (
  deps: Needs,
  { deliveryId }: EventData<"delivery.retried">,
): Promise<void> => {
  const eventId = await findEventId(deps.db, deliveryId);
  if (eventId === undefined || (await deps.bus.retry("mailer", eventId))) return;
  if (await isDriven(deps, eventId))
    throw new Error("the original message of this mail is still active, will retry");
  await attemptDelivery(deps, eventId).catch((error: unknown) => {
    if (!(error instanceof UnretryableError)) throw error;
  });
};

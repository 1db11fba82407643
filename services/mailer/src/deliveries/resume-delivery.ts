import type { EventData } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";
import { attemptDelivery, type AttemptDeliveryNeeds } from "./attempt-delivery.ts";
import { findEventId } from "./queries.ts";

/**
 * Has a mail tried that an admin gave all its tries again: by the message that it failed with, which then drives its tries as
 * before, or by this one where the bus has let go of that.
 */
export const resumeDelivery = async (
  deps: AttemptDeliveryNeeds & Pick<Deps, "bus">,
  { deliveryId }: EventData<"delivery.retried">,
): Promise<void> => {
  const eventId = await findEventId(deps.db, deliveryId);
  if (eventId === undefined || (await deps.bus.retry("mailer", eventId))) return;
  await attemptDelivery(deps, eventId);
};

import type { EventData } from "@latchkey/contracts";
import { UnretryableError } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { attemptDelivery, type AttemptDeliveryNeeds } from "./attempt-delivery.ts";
import { findEventId } from "./queries.ts";

type Needs = AttemptDeliveryNeeds & Pick<Deps, "bus">;

/** Whether the message of a mail will run yet, or has just been given up. */
const isDriven = async ({ bus }: Needs, eventId: string): Promise<boolean> => {
  const state = (await bus.states("mailer", [eventId])).get(eventId);
  return state === "pending" || state === "failed";
};

/**
 * Has a mail tried that an admin gave all its tries again: by the message that it failed with, which then drives its tries as
 * before, or by this one where the bus has let go of that. A mail is given up a moment before its message is: meanwhile this
 * one waits, or that would stay among the failed ones after the mail was sent. Where this one drives the tries and they fail,
 * only the mail tells so, for the same reason.
 */
export const resumeDelivery = async (
  deps: Needs,
  { deliveryId }: EventData<"delivery.retried">,
): Promise<void> => {
  const eventId = await findEventId(deps.db, deliveryId);
  if (eventId === undefined || (await deps.bus.retry("mailer", eventId))) return;
  if (await isDriven(deps, eventId)) throw new Error("the message of this mail is in work still");
  await attemptDelivery(deps, eventId).catch((error: unknown) => {
    if (!(error instanceof UnretryableError)) throw error;
  });
};

import type { EventConsumers } from "@latchkey/service-kit";
import type { Deps } from "./deps.ts";
import { consumeRecorded } from "./events/consume-recorded.ts";

/** The consumer of each event. */
export const consumers: EventConsumers<"webhooks", Deps> = {
  "events.recorded": consumeRecorded,
};

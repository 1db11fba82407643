import { applicationEvents } from "@latchkey/ui/api/application-events.ts";
import { EventChoice as Choice } from "@latchkey/ui/webhooks/event-choice.tsx";
import type { ComponentProps } from "react";
import { useAccess } from "../../access/use-access.ts";
import { topicLabel } from "./event-words.ts";

/** Chooses events. An admin who may not list the objects may not receive their events either. */
export const EventChoice = (
  props: Pick<ComponentProps<typeof Choice>, "chosen" | "onChange" | "error">,
) => {
  const { may } = useAccess();
  return (
    <Choice
      {...props}
      label="Events"
      events={applicationEvents}
      topicLabel={topicLabel}
      mayReceive={({ permission }) => may(permission)}
    />
  );
};

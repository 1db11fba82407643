import { type Event, eventCatalogue, operations, type ServiceName } from "@latchkey/contracts";
import type { ServiceClient } from "@latchkey/service-kit/http";
import { type Logger, type Metrics, registerCounter } from "@latchkey/service-kit/observe";

/** Sends events to their consumers immediately. Never rejects, because the bus delivers the same events until it succeeds. */
export type ApplyUrgentEvents = (events: readonly Event[], requestId: string) => Promise<void>;

/** The client waits for this after the reply of the owning service. */
const deadlineMilliseconds = 3_000;

const appliers = {
  apikey: operations.apikey.applyApiKeyEvent,
  organization: operations.organization.applyOrganizationEvent,
};
type Applier = keyof typeof appliers;

const appliersOf = ({ name }: Event): Applier[] => {
  const consumers: readonly ServiceName[] = eventCatalogue[name].consumers;
  return (Object.keys(appliers) as Applier[]).filter((service) => consumers.includes(service));
};

export const createUrgentApplier = ({
  logger,
  metrics,
  ...clients
}: { logger: Logger; metrics: Metrics } & Record<Applier, ServiceClient>): ApplyUrgentEvents => {
  const failures = registerCounter(metrics, {
    name: "urgent_events_failed_total",
    help: "Events that a service did not apply before the answer; the bus delivers them later",
    labels: ["event", "service"],
  });
  const apply = async (service: Applier, event: Event, requestId: string): Promise<void> => {
    const signal = AbortSignal.timeout(deadlineMilliseconds);
    try {
      await clients[service].call(appliers[service], { body: event }, { requestId, signal });
    } catch (error) {
      failures.inc({ event: event.name, service });
      const about = { err: error, requestId, event: event.name, eventId: event.id, service };
      logger.warn(
        about,
        "failed to apply an urgent event before the response, the bus will deliver it",
      );
    }
  };
  return async (events, requestId) => {
    await Promise.all(
      events.flatMap((event) => appliersOf(event).map((to) => apply(to, event, requestId))),
    );
  };
};

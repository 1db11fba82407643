import type { ApplicationEventType, EventInBrief, EventTopic } from "../api/application-events.ts";

/** The events about one kind of object, such as all of members. */
export interface EventGroup {
  readonly topic: EventTopic;
  readonly events: readonly EventInBrief[];
}

/** Returns the kind of object that an event is about. */
export const topicOf = (type: ApplicationEventType): EventTopic =>
  // Every type has a dot.
  type.slice(0, type.indexOf(".")) as EventTopic;

/** Groups events by topic, in the order of the first of each. */
export const eventGroups = (events: readonly EventInBrief[]): EventGroup[] =>
  [...new Set(events.map(({ type }) => topicOf(type)))].map((topic) => ({
    topic,
    events: events.filter(({ type }) => topicOf(type) === topic),
  }));

/** Adds types to a choice, or takes them out of it. Keeps the order of the catalogue, in which unknown types come last. */
export const chooseEvents = (
  chosen: readonly string[],
  { types, isOn, order }: { types: readonly string[]; isOn: boolean; order: readonly string[] },
): string[] => {
  const rest = chosen.filter((type) => !types.includes(type));
  const placeOf = (type: string) => (order.includes(type) ? order.indexOf(type) : order.length);
  return (isOn ? [...rest, ...types] : rest).toSorted(
    (one, other) => placeOf(one) - placeOf(other),
  );
};

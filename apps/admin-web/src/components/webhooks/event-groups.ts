import type { EventInBrief } from "@latchkey/ui/api/application-events.ts";

/** The events about one kind of object, such as all of members. */
export interface EventGroup {
  readonly subject: string;
  readonly label: string;
  readonly events: readonly EventInBrief[];
}

const labels: Readonly<Record<string, string>> = {
  user: "Users",
  session: "Sessions",
  account: "Linked accounts",
  "two-factor": "Second factors",
  passkey: "Passkeys",
  organization: "Organizations",
  member: "Members",
  invitation: "Invitations",
  team: "Teams",
  "api-key": "API keys",
};

const subjectOf = ({ type }: EventInBrief): string => type.slice(0, type.indexOf("."));

/** Groups events by the part before the dot, in the order of the first of each. */
export const eventGroups = (events: readonly EventInBrief[]): EventGroup[] =>
  [...new Set(events.map(subjectOf))].map((subject) => ({
    subject,
    label: labels[subject] ?? subject,
    events: events.filter((event) => subjectOf(event) === subject),
  }));

/** Says which events a webhook receives: all of them, or the first and the number of the others. */
export const eventsInWords = (types: readonly string[]): string => {
  const [first, ...others] = types;
  if (first === undefined) return "All events";
  return others.length === 0 ? first : `${first} and ${others.length} more`;
};

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

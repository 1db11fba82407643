import {
  applicationEvents,
  type EventInBrief,
  type EventTopic,
} from "../api/application-events.ts";
import { Checkbox } from "../components/checkbox.tsx";
import { chooseEvents, type EventGroup, eventGroups } from "./event-groups.ts";

const order = applicationEvents.map(({ type }) => type);

interface GroupProps {
  group: EventGroup;
  label: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  mayReceive: (event: EventInBrief) => boolean;
}

const Group = ({ group, label, chosen, onChange, mayReceive }: GroupProps) => {
  // Chosen events can always be taken out.
  const open = group.events.filter((event) => mayReceive(event) || chosen.includes(event.type));
  const openTypes = open.map(({ type }) => type);
  const count = openTypes.filter((type) => chosen.includes(type)).length;
  const isWhole = count > 0 && count === openTypes.length;
  const change = (types: readonly string[], isOn: boolean) =>
    onChange(chooseEvents(chosen, { types, isOn, order }));
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      <label className="flex items-center gap-2 font-medium">
        <Checkbox
          checked={isWhole}
          indeterminate={count > 0 && !isWhole}
          disabled={openTypes.length === 0}
          onCheckedChange={(isOn) => change(openTypes, isOn)}
        />
        {label}
      </label>
      <ul className="mt-1 flex flex-col gap-1 ps-6">
        {group.events.map(({ type, summary }) => (
          <li key={type}>
            <label title={summary} className="flex items-center gap-2">
              <Checkbox
                checked={chosen.includes(type)}
                disabled={!openTypes.includes(type)}
                onCheckedChange={(isOn) => change([type], isOn)}
              />
              <span dir="ltr" className="min-w-0 font-mono text-xs break-words">
                {type}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
};

interface EventChoiceProps extends Omit<GroupProps, "group" | "label"> {
  label: string;
  /** The events that can be chosen. */
  events: readonly EventInBrief[];
  topicLabel: (topic: EventTopic) => string;
  error: string | undefined;
}

/** Chooses events of the catalogue, each or by topic. */
export const EventChoice = ({ label, events, topicLabel, error, ...choice }: EventChoiceProps) => (
  <div className="flex flex-col gap-1">
    <div
      role="group"
      aria-label={label}
      data-invalid={error === undefined ? undefined : true}
      // Makes the list scrollable by keyboard.
      tabIndex={0}
      className="grid max-h-72 gap-4 overflow-y-auto rounded-md border p-3 sm:grid-cols-2"
    >
      {eventGroups(events).map((group) => (
        <Group key={group.topic} {...choice} group={group} label={topicLabel(group.topic)} />
      ))}
    </div>
    {error !== undefined && (
      <p role="alert" className="text-xs text-danger">
        {error}
      </p>
    )}
  </div>
);

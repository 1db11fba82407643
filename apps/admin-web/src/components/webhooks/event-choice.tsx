import { applicationEvents } from "@latchkey/ui/api/application-events.ts";
import { Checkbox } from "@latchkey/ui/components/checkbox.tsx";
import { useAccess } from "../../access/use-access.ts";
import { chooseEvents, type EventGroup, eventGroups } from "./event-groups.ts";

const order = applicationEvents.map(({ type }) => type);

interface EventChoiceProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  error: string | undefined;
}

const Group = ({
  group,
  chosen,
  onChange,
}: Omit<EventChoiceProps, "error"> & { group: EventGroup }) => {
  const { may } = useAccess();
  // An admin who may not list the objects may not receive their events either. Chosen events can always be taken out.
  const open = group.events.filter(
    ({ type, permission }) => may(permission) || chosen.includes(type),
  );
  const openTypes = open.map(({ type }) => type);
  const count = openTypes.filter((type) => chosen.includes(type)).length;
  const isWhole = count > 0 && count === openTypes.length;
  const change = (types: readonly string[], isOn: boolean) =>
    onChange(chooseEvents(chosen, { types, isOn, order }));
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{group.label}</legend>
      <label className="flex items-center gap-2 font-medium">
        <Checkbox
          checked={isWhole}
          indeterminate={count > 0 && !isWhole}
          disabled={openTypes.length === 0}
          onCheckedChange={(isOn) => change(openTypes, isOn)}
        />
        {group.label}
      </label>
      <ul className="mt-1 flex flex-col gap-1 pl-6">
        {group.events.map(({ type, summary }) => (
          <li key={type}>
            <label title={summary} className="flex items-center gap-2">
              <Checkbox
                checked={chosen.includes(type)}
                disabled={!openTypes.includes(type)}
                onCheckedChange={(isOn) => change([type], isOn)}
              />
              <span className="min-w-0 font-mono text-xs break-words">{type}</span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
};

/** Chooses events of the catalogue, each or by the kind of their objects. */
export const EventChoice = ({ chosen, onChange, error }: EventChoiceProps) => (
  <div className="flex flex-col gap-1">
    <div
      role="group"
      aria-label="Events"
      // Makes the list scrollable by keyboard.
      tabIndex={0}
      className="grid max-h-72 gap-4 overflow-y-auto rounded-md border p-3 sm:grid-cols-2"
    >
      {eventGroups(applicationEvents).map((group) => (
        <Group key={group.subject} group={group} chosen={chosen} onChange={onChange} />
      ))}
    </div>
    {error !== undefined && (
      <p role="alert" className="text-xs text-danger">
        {error}
      </p>
    )}
  </div>
);

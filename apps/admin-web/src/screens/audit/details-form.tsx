import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { ofLocalTime, type RangeEnd, toLocalTime } from "@latchkey/ui/components/local-time.ts";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { useNamedUser } from "../../components/users/use-named-user.ts";
import { UserPicker } from "../../components/users/user-picker.tsx";
import { userText } from "../../components/users/user-text.ts";
import { type AuditSearch, detailNames } from "./audit-search.ts";

interface DetailsFormProps {
  search: AuditSearch;
  onChange: (patch: Partial<AuditSearch>) => void;
}

interface PersonProps {
  label: string;
  id: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** Chooses an actor or a subject. Users are found by name and email address. */
const Person = ({ label, id, onChange }: PersonProps) => {
  const { may } = useAccess();
  const [first] = useState(id);
  const [chosen, setChosen] = useState<Choice | null>(null);
  const { user } = useNamedUser(first);
  if (!may("user:list"))
    return (
      <Field label={`${label} (ID)`}>
        <Input
          value={id ?? ""}
          onChange={(event) => onChange(event.target.value.trim() || undefined)}
          maxLength={255}
          autoComplete="off"
        />
      </Field>
    );
  const given = first === undefined ? null : { value: first, label: user ? userText(user) : first };
  return (
    <Field label={label}>
      <UserPicker
        // The text of the input begins anew when the name of the first user is known.
        key={user?.id}
        takesIds
        value={id === first ? given : chosen}
        onChange={(user) => {
          setChosen(user);
          onChange(user?.value);
        }}
      />
    </Field>
  );
};

const texts = [
  { name: "address", label: "IP address" },
  { name: "request", label: "Request ID" },
] as const;

const ends: readonly { name: RangeEnd; label: string }[] = [
  { name: "from", label: "From" },
  { name: "to", label: "To" },
];

type Details = Pick<AuditSearch, (typeof detailNames)[number]>;

const noDetails: Details = Object.fromEntries(detailNames.map((name) => [name, undefined]));

/** Filters the log by actor, subject, origin and time. */
export const DetailsForm = ({ search, onChange }: DetailsFormProps) => {
  const [details, setDetails] = useState<Details>(
    Object.fromEntries(detailNames.map((name) => [name, search[name]])),
  );
  const set = (patch: Partial<Details>) => setDetails((was) => ({ ...was, ...patch }));
  return (
    <form
      className="flex w-80 max-w-full flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(details);
      }}
    >
      <Person label="Actor" id={details.actor} onChange={(actor) => set({ actor })} />
      <Person label="Subject" id={details.subject} onChange={(subject) => set({ subject })} />
      {texts.map(({ name, label }) => (
        <Field key={name} label={label}>
          <Input
            value={details[name] ?? ""}
            onChange={(event) => set({ [name]: event.target.value.trim() || undefined })}
            maxLength={255}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      ))}
      {ends.map(({ name, label }) => (
        <Field key={name} label={label}>
          <Input
            type="datetime-local"
            defaultValue={toLocalTime(details[name], name)}
            onChange={(event) => set({ [name]: ofLocalTime(event.target.value, name) })}
          />
        </Field>
      ))}
      <div className="flex justify-end gap-2">
        <Button onClick={() => onChange(noDetails)}>Clear</Button>
        <Button type="submit" kind="primary">
          Apply
        </Button>
      </div>
    </form>
  );
};

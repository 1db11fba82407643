import { useState } from "react";
import { useAccess } from "../../access/use-access.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { Form } from "@latchkey/ui/form/form.tsx";
import { useForm } from "@latchkey/ui/form/use-form.ts";
import { ofLocalTime, type RangeEnd, toLocalTime } from "@latchkey/ui/components/local-time.ts";
import type { Choice } from "@latchkey/ui/components/select.tsx";
import { useNamedUser } from "../../components/users/use-named-user.ts";
import { UserPicker } from "../../components/users/user-picker.tsx";
import { userText } from "../../components/users/user-text.ts";
import { type AuditSearch, detailNames } from "./audit-search.ts";
import { t } from "../../texts.ts";

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
      <TextField
        label={t("audit.idOf", { party: label })}
        value={id ?? ""}
        onChange={(event) => onChange(event.target.value.trim() || undefined)}
        maxLength={255}
        autoComplete="off"
      />
    );
  const firstChoice =
    first === undefined ? null : { value: first, label: user ? userText(user) : first };
  return (
    <Field label={label}>
      <UserPicker
        // The text of the input begins anew when the name of the first user is known.
        key={user?.id}
        takesIds
        value={id === first ? firstChoice : chosen}
        onChange={(user) => {
          setChosen(user);
          onChange(user?.value);
        }}
      />
    </Field>
  );
};

const texts = [
  { name: "address", label: t("common.address") },
  { name: "request", label: t("audit.requestId") },
] as const;

const ends: readonly { name: RangeEnd; label: string }[] = [
  { name: "from", label: t("common.from") },
  { name: "to", label: t("common.to") },
];

type DetailName = (typeof detailNames)[number];
type Details = Pick<AuditSearch, DetailName>;

const noDetails: Details = Object.fromEntries(detailNames.map((name) => [name, undefined]));

const isEnd = (name: DetailName): name is RangeEnd => name === "from" || name === "to";

/** Returns the texts of the controls. */
const textsOf = (search: AuditSearch) =>
  Object.fromEntries(
    detailNames.map((name) => [
      name,
      isEnd(name) ? toLocalTime(search[name], name) : (search[name] ?? ""),
    ]),
  ) as Record<DetailName, string>; // one text for each name

const detailsOf = (entered: Record<DetailName, string>): Details =>
  Object.fromEntries(
    detailNames.map((name) => {
      const text = entered[name].trim();
      return [name, isEnd(name) ? ofLocalTime(text, name) : text || undefined];
    }),
  );

/** Filters the log by actor, subject, origin and time. */
export const DetailsForm = ({ search, onChange }: DetailsFormProps) => {
  const form = useForm<Record<DetailName, string>>({
    defaultValues: textsOf(search),
    onSubmit: (entered) => onChange(detailsOf(entered)),
  });
  const person = (name: "actor" | "subject") => {
    const { value, onChange: choose } = form.choice(name);
    return { id: value || undefined, onChange: (id: string | undefined) => choose(id ?? "") };
  };
  return (
    <Form
      form={form}
      className="flex w-80 max-w-full flex-col gap-3"
      foot={
        <div className="flex justify-end gap-2">
          <Button onClick={() => onChange(noDetails)}>{t("common.clear")}</Button>
          <Button type="submit" kind="primary">
            {t("ui.apply")}
          </Button>
        </div>
      }
    >
      <Person label={t("audit.actor")} {...person("actor")} />
      <Person label={t("audit.subject")} {...person("subject")} />
      {texts.map(({ name, label }) => (
        <TextField
          key={name}
          {...form.field(name)}
          label={label}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
        />
      ))}
      {ends.map(({ name, label }) => (
        <TextField key={name} {...form.field(name)} label={label} type="datetime-local" />
      ))}
    </Form>
  );
};

import type { FormOf } from "@latchkey/ui/form/use-form.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import type { WebhookForm } from "@latchkey/ui/webhooks/webhook-form.ts";
import { applicationEvents } from "@latchkey/ui/api/application-events.ts";
import { EventChoice as Choice } from "@latchkey/ui/webhooks/event-choice.tsx";
import type { ComponentProps } from "react";
import { useAccess } from "../../access/use-access.ts";
import { topicLabel } from "./event-words.ts";

/** Chooses events. An admin who may not list the objects may not receive their events either. */
const EventChoice = (
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

const receptions = [
  { value: "all", label: "All events, also those of later versions" },
  { value: "chosen", label: "Chosen events" },
] as const;

interface WebhookFieldsProps {
  form: FormOf<WebhookForm>;
}

/** The fields of a webhook that can be changed later. */
export const WebhookFields = ({ form }: WebhookFieldsProps) => {
  const { field, choice, errorOf } = form;
  const receives = choice("receives");
  const { value: chosen, onChange } = choice("events");
  return (
    <>
      <TextField
        {...field("url")}
        label="URL"
        type="url"
        placeholder="https://app.example.com/hooks"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        {...field("description")}
        label="Description"
        hint="Optional. Shown in lists and in emails about this webhook."
        autoComplete="off"
      />
      <TextField
        {...field("contactEmail")}
        label="Contact email"
        hint="A user who gets an email when the webhook is paused because it fails. Leave blank for the default."
        type="email"
        autoComplete="off"
        spellCheck={false}
      />
      <Field label="Events to send">
        <Select choices={receptions} {...receives} />
      </Field>
      {receives.value === "chosen" && (
        <EventChoice chosen={chosen} onChange={onChange} error={errorOf("events")} />
      )}
    </>
  );
};

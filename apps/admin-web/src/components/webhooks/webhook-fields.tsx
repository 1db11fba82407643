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
import { t } from "../../texts.ts";

/** Chooses events. An admin who may not list the objects may not receive their events either. */
const EventChoice = (
  props: Pick<ComponentProps<typeof Choice>, "chosen" | "onChange" | "error">,
) => {
  const { may } = useAccess();
  return (
    <Choice
      {...props}
      label={t("webhooks.fields.events")}
      events={applicationEvents}
      topicLabel={topicLabel}
      mayReceive={({ permission }) => may(permission)}
    />
  );
};

const receptions = [
  { value: "all", label: t("webhooks.fields.all") },
  { value: "chosen", label: t("webhooks.fields.chosen") },
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
        label={t("webhooks.fields.url")}
        type="url"
        placeholder="https://app.example.com/hooks"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        {...field("description")}
        label={t("common.description")}
        hint={t("webhooks.fields.descriptionHint")}
        autoComplete="off"
      />
      <TextField
        {...field("contactEmail")}
        label={t("webhooks.fields.contact")}
        hint={t("webhooks.fields.contactHint")}
        type="email"
        autoComplete="off"
        spellCheck={false}
      />
      <Field label={t("webhooks.fields.receives")}>
        <Select choices={receptions} {...receives} />
      </Field>
      {receives.value === "chosen" && (
        <EventChoice chosen={chosen} onChange={onChange} error={errorOf("events")} />
      )}
    </>
  );
};

import { Controller, type UseFormReturn } from "react-hook-form";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import type { Faults } from "../../api/faults-of.ts";
import { EventChoice } from "./event-choice.tsx";
import type { WebhookForm } from "@latchkey/ui/webhooks/webhook-form.ts";

export const webhookFieldNames = ["url", "description", "events", "contactEmail"] as const;

/** The form field of error codes that name none. */
export const webhookFaultFields = { THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED: "url" } as const;

const receptions = [
  { value: "all", label: "All events, also those of later versions" },
  { value: "chosen", label: "Chosen events" },
] as const;

interface WebhookFieldsProps {
  form: UseFormReturn<WebhookForm>;
  /** The validation errors of the server. */
  faults: Faults<keyof WebhookForm>;
}

/** The fields of a webhook that can be changed later. */
export const WebhookFields = ({ form, faults }: WebhookFieldsProps) => {
  const { register, control, watch, formState } = form;
  const faultOf = (name: keyof WebhookForm) => formState.errors[name]?.message ?? faults[name];
  return (
    <>
      <Field label="URL" error={faultOf("url")}>
        <Input
          {...register("url")}
          type="url"
          placeholder="https://app.example.com/hooks"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field
        label="Description"
        description="Optional. Shown in lists and in emails about this webhook."
        error={faultOf("description")}
      >
        <Input {...register("description")} autoComplete="off" />
      </Field>
      <Field
        label="Contact email"
        description="Gets an email when the webhook is paused because it fails. Leave blank for the default."
        error={faultOf("contactEmail")}
      >
        <Input {...register("contactEmail")} type="email" autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Events to send">
        <Controller
          control={control}
          name="receives"
          render={({ field }) => (
            <Select choices={receptions} value={field.value} onChange={field.onChange} />
          )}
        />
      </Field>
      {watch("receives") === "chosen" && (
        <Controller
          control={control}
          name="events"
          render={({ field }) => (
            <EventChoice chosen={field.value} onChange={field.onChange} error={faultOf("events")} />
          )}
        />
      )}
    </>
  );
};

import { applicationEvents, type EventTopic } from "@latchkey/ui/api/application-events.ts";
import { EventChoice } from "@latchkey/ui/webhooks/event-choice.tsx";
import { isWebAddress, type WebhookForm } from "@latchkey/ui/webhooks/webhook-form.ts";
import type { FormOf } from "@latchkey/ui/form/use-form.ts";
import { useTranslation } from "../../languages.ts";
import { SelectField } from "@latchkey/ui/components/fields.tsx";
import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { usePermissions } from "../organizations/use-permissions.ts";

const urlLengthMax = 2048;
const descriptionLengthMax = 255;

const events = applicationEvents.filter(({ isOfOrganizations }) => isOfOrganizations);
const topics = [
  "organization",
  "member",
  "invitation",
  "team",
  "organization-role",
  "api-key",
] as const;

interface WebhookFieldsProps {
  form: FormOf<WebhookForm>;
  organizationId: string;
}

const AddressFields = ({ form: { field } }: Pick<WebhookFieldsProps, "form">) => {
  const t = useTranslation("webhooks");
  return (
    <>
      <TextField
        {...field("url", { validate: (url) => isWebAddress(url) || t("fields.urlFault") })}
        label={t("fields.url")}
        type="url"
        maxLength={urlLengthMax}
        placeholder="https://app.example.com/hooks"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
      />
      <TextField
        {...field("description")}
        label={t("fields.description")}
        hint={t("fields.descriptionHint")}
        maxLength={descriptionLengthMax}
        autoComplete="off"
        dir="auto"
      />
      <TextField
        {...field("contactEmail", {
          validate: (email) =>
            email.trim() === "" || looksLikeEmail(email) || t("fields.contactFault"),
        })}
        label={t("fields.contact")}
        hint={t("fields.contactHint")}
        type="email"
        autoComplete="off"
        dir="ltr"
      />
    </>
  );
};

/** Chooses the events. A member who may not read the API keys of the organization may not receive their events either. */
const EventFields = ({ form, organizationId }: WebhookFieldsProps) => {
  const t = useTranslation("webhooks");
  const may = usePermissions(organizationId, ["apiKey:read"]);
  const { register, field, choice, errorOf } = form;
  const { value: chosen, onChange } = choice("events");
  const topicLabel = (topic: EventTopic) => {
    const ownTopic = topics.find((one) => one === topic);
    return ownTopic ? t(`topics.${ownTopic}`) : topic;
  };
  // The choice is no native field, so it registers only its rule.
  register("events", {
    validate: (events, { receives }) =>
      receives === "all" || events.length > 0 || t("fields.noEvents"),
  });
  return (
    <>
      <SelectField
        {...field("receives")}
        label={t("fields.receives")}
        choices={[
          { value: "all", label: t("fields.all") },
          { value: "chosen", label: t("fields.chosen") },
        ]}
      />
      {form.watch("receives") === "chosen" && (
        <EventChoice
          label={t("fields.events")}
          events={events}
          topicLabel={topicLabel}
          chosen={chosen}
          onChange={onChange}
          mayReceive={({ permission }) => permission !== "apiKey:list" || may("apiKey:read")}
          error={errorOf("events")}
        />
      )}
    </>
  );
};

/** The fields of a webhook. */
export const WebhookFields = (props: WebhookFieldsProps) => (
  <>
    <AddressFields form={props.form} />
    <EventFields {...props} />
  </>
);

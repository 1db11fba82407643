import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { applicationEvents, type EventTopic } from "@latchkey/ui/api/application-events.ts";
import { EventChoice } from "@latchkey/ui/webhooks/event-choice.tsx";
import { isWebAddress, type WebhookForm } from "@latchkey/ui/webhooks/webhook-form.ts";
import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { SelectField } from "../account/select-field.tsx";
import { looksLikeEmail } from "../email-rule.ts";
import { useErrorText } from "../error-text.ts";
import { TextField } from "../fields.tsx";
import { usePermissions } from "../organizations/use-permissions.ts";

const urlLengthMax = 2048;
const descriptionLengthMax = 255;

const events = applicationEvents.filter(({ isOfOrganizations }) => isOfOrganizations);
const topics = ["organization", "member", "invitation", "team", "api-key"] as const;

/** Whether a refusal is about the URL. The form then shows it there. */
export const isAboutUrl = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED";

interface WebhookFieldsProps {
  form: UseFormReturn<WebhookForm>;
  organizationId: string;
  /** The refusal of the server, which may be about the URL. */
  refusal: unknown;
}

const AddressFields = ({ form, refusal }: Omit<WebhookFieldsProps, "organizationId">) => {
  const { t } = useTranslation("webhooks");
  const errorText = useErrorText();
  const {
    register,
    formState: { errors },
  } = form;
  return (
    <>
      <TextField
        {...register("url", { validate: (url) => isWebAddress(url) || t("fields.urlFault") })}
        label={t("fields.url")}
        error={errors.url?.message ?? (isAboutUrl(refusal) ? errorText(refusal) : undefined)}
        type="url"
        maxLength={urlLengthMax}
        placeholder="https://app.example.com/hooks"
        autoComplete="off"
        spellCheck={false}
        dir="ltr"
      />
      <TextField
        {...register("description")}
        label={t("fields.description")}
        hint={t("fields.descriptionHint")}
        maxLength={descriptionLengthMax}
        autoComplete="off"
        dir="auto"
      />
      <TextField
        {...register("contactEmail", {
          validate: (email) =>
            email.trim() === "" || looksLikeEmail(email) || t("fields.contactFault"),
        })}
        label={t("fields.contact")}
        hint={t("fields.contactHint")}
        error={errors.contactEmail?.message}
        type="email"
        autoComplete="off"
        dir="ltr"
      />
    </>
  );
};

/** Chooses the events. A member who may not read the API keys of the organization may not receive their events either. */
const EventFields = ({ form, organizationId }: Omit<WebhookFieldsProps, "refusal">) => {
  const { t } = useTranslation("webhooks");
  const may = usePermissions(organizationId, ["apiKey:read"]);
  const { register, watch, setValue, formState } = form;
  const topicLabel = (topic: EventTopic) => {
    const known = topics.find((one) => one === topic);
    return known ? t(`topics.${known}`) : topic;
  };
  // The choice is no native field, so it registers only its rule.
  register("events", {
    validate: (chosen, { receives }) =>
      receives === "all" || chosen.length > 0 || t("fields.noEvents"),
  });
  return (
    <>
      <SelectField
        {...register("receives")}
        label={t("fields.receives")}
        choices={[
          { value: "all", label: t("fields.all") },
          { value: "chosen", label: t("fields.chosen") },
        ]}
      />
      {watch("receives") === "chosen" && (
        <EventChoice
          label={t("fields.events")}
          events={events}
          topicLabel={topicLabel}
          chosen={watch("events")}
          onChange={(chosen) =>
            setValue("events", chosen, { shouldValidate: formState.isSubmitted })
          }
          mayReceive={({ permission }) => permission !== "apiKey:list" || may("apiKey:read")}
          error={formState.errors.events?.message}
        />
      )}
    </>
  );
};

/** The fields of a webhook. */
export const WebhookFields = ({ refusal, ...use }: WebhookFieldsProps) => (
  <>
    <AddressFields form={use.form} refusal={refusal} />
    <EventFields {...use} />
  </>
);

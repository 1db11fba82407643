import { isWebAddress, type WebhookForm } from "@latchkey/ui/webhooks/webhook-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { emailText } from "../users/email-text.ts";
import { t } from "../../texts.ts";

/** The rules of the form of a webhook. */
export const webhookRules = z
  .object({
    url: z
      .string()
      .max(2048, t("faults.tooLong", { max: 2048 }))
      .refine(isWebAddress, "Enter a URL that begins with https://."),
    description: z.string().max(255, t("faults.tooLong", { max: 255 })),
    receives: z.enum(["all", "chosen"]),
    events: z.array(z.string()),
    contactEmail: z.union([z.literal(""), emailText]),
  })
  .refine(({ receives, events }) => receives === "all" || events.length > 0, {
    path: ["events"],
    message: t("webhooks.fields.chooseEvent"),
  }) satisfies z.ZodType<WebhookForm>;

import { zodResolver } from "@hookform/resolvers/zod";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useDraft } from "../kept/use-draft.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { banLengthNames, banLengths, banSeconds } from "./ban-length.ts";
import { t } from "../../texts.ts";

const banForm = z
  .object({
    reason: z
      .string()
      .trim()
      .max(1024, t("faults.tooLong", { max: 1024 })),
    length: z.enum(banLengthNames),
    until: z.string(),
  })
  .refine(
    ({ length, until }) =>
      length !== "until" || (banSeconds(length, until, new Date()) ?? Number.NaN) > 0,
    { path: ["until"], message: t("ban.laterDay") },
  );

/** The reason and end of a ban, as the operation takes them. */
export interface BanTerms {
  banReason?: string;
  banExpiresIn?: number;
}

const termsOf = ({ reason, length, until }: z.output<typeof banForm>): BanTerms => {
  const banExpiresIn = banSeconds(length, until, new Date());
  return {
    ...(reason && { banReason: reason }),
    ...(banExpiresIn !== undefined && { banExpiresIn }),
  };
};

interface BanFormProps {
  /** The verb of the button. */
  action: string;
  change?: Sending;
  onSubmit: (terms: BanTerms) => void;
  onCancel: () => void;
  /** The name under which the input is kept. Without a name, it is not kept. */
  draft?: string;
}

const noBan: z.output<typeof banForm> = { reason: "", length: "usual", until: "" };

/** Asks for the reason and the end of a ban. */
export const BanForm = ({ action, change, onSubmit, onCancel, draft }: BanFormProps) => {
  const form = useForm({
    resolver: zodResolver(banForm),
    defaultValues: noBan,
    ...(change && { change }),
    fieldOf: { banReason: "reason", banExpiresIn: "length" },
    onSubmit: (given) => onSubmit(termsOf(given)),
  });
  useDraft({ form, name: draft, defaults: noBan });
  const length = form.choice("length");
  return (
    <DialogForm form={form} action={action} onClose={onCancel}>
      <TextAreaField
        {...form.field("reason")}
        label={t("common.reason")}
        hint={t("ban.reasonHint")}
        dir="auto"
        autoFocus
      />
      <Field label={t("ban.duration")} error={form.errorOf("length")}>
        <Select choices={banLengths} {...length} />
      </Field>
      {length.value === "until" && (
        <TextField {...form.field("until")} label={t("ui.range.lastDay")} type="date" />
      )}
    </DialogForm>
  );
};

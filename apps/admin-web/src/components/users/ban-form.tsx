import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm, useWatch } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useDraft } from "../kept/use-draft.ts";
import { FormError } from "../errors/form-error.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { Textarea } from "@latchkey/ui/components/textarea.tsx";
import { banLengthNames, banLengths, banSeconds } from "./ban-length.ts";

const banForm = z
  .object({
    reason: z.string().trim().max(1024, "Use at most 1,024 characters."),
    length: z.enum(banLengthNames),
    until: z.string(),
  })
  .refine(
    ({ length, until }) =>
      length !== "until" || (banSeconds(length, until, new Date()) ?? Number.NaN) > 0,
    { path: ["until"], message: "Choose today or a later day." },
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
  isBusy: boolean;
  /** The error of the last attempt. */
  error?: unknown;
  onSubmit: (terms: BanTerms) => void;
  onCancel: () => void;
  /** The name under which the input is kept. Without a name, it is not kept. */
  draft?: string;
}

const noBan: z.output<typeof banForm> = { reason: "", length: "usual", until: "" };

/** Asks for the reason and the end of a ban. */
export const BanForm = ({ action, isBusy, error, onSubmit, onCancel, draft }: BanFormProps) => {
  const form = useForm({ resolver: zodResolver(banForm), defaultValues: noBan });
  useDraft({ form, name: draft, defaults: noBan });
  const { register, control, formState, handleSubmit } = form;
  const submit = handleSubmit((given) => onSubmit(termsOf(given)));
  const faults = faultsOf(error, ["banReason", "banExpiresIn"]);
  const length = useWatch({ control, name: "length" });
  const { errors } = formState;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label="Reason"
        description="Stored with the user and in the audit log."
        error={errors.reason?.message ?? faults.banReason}
      >
        <Textarea {...register("reason")} dir="auto" autoFocus />
      </Field>
      <Field label="Duration" error={faults.banExpiresIn}>
        <Controller
          control={control}
          name="length"
          render={({ field }) => (
            <Select choices={banLengths} value={field.value} onChange={field.onChange} />
          )}
        />
      </Field>
      {length === "until" && (
        <Field label="Last day (UTC)" error={errors.until?.message}>
          <Input {...register("until")} type="date" />
        </Field>
      )}
      {Boolean(error) && Object.keys(faults).length === 0 && <FormError error={error} />}
      <DialogButtons action={action} isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
};

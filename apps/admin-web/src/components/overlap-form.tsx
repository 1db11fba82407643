import type { ReactNode } from "react";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { t } from "../texts.ts";

const overlaps = [
  { value: "0", label: t("overlap.none") },
  { value: "3600", label: t("durations.hours", { count: 1 }) },
  { value: "86400", label: t("durations.hours", { count: 24 }) },
  { value: "604800", label: t("durations.days", { count: 7 }) },
  { value: "2592000", label: t("durations.days", { count: 30 }) },
] as const;

type Overlap = (typeof overlaps)[number]["value"];

interface OverlapFormProps {
  /** The text that explains the change. */
  children: ReactNode;
  label: string;
  description: string;
  action: string;
  secondsMax: number;
  change: Sending;
  onSubmit: (overlapSeconds: number) => void;
  onCancel: () => void;
}

/** Asks for how long an old secret works beside the new one. */
export const OverlapForm = (props: OverlapFormProps) => {
  const { children, label, description, action, secondsMax, change } = props;
  const form = useForm<{ overlap: Overlap }>({
    defaultValues: { overlap: "86400" },
    change,
    onSubmit: ({ overlap }) => props.onSubmit(Number(overlap)),
  });
  return (
    <DialogForm form={form} action={action} onClose={props.onCancel}>
      <p>{children}</p>
      <Field label={label} description={description}>
        <Select
          choices={overlaps.filter(({ value }) => Number(value) <= secondsMax)}
          {...form.choice("overlap")}
        />
      </Field>
    </DialogForm>
  );
};

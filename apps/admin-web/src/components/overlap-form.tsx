import type { ReactNode } from "react";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";

const overlaps = [
  { value: "0", label: "None, it stops working immediately" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "24 hours" },
  { value: "604800", label: "7 days" },
  { value: "2592000", label: "30 days" },
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

import { type ReactNode, useState } from "react";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { FormError } from "./errors/form-error.tsx";

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
  error: Error | null;
  isBusy: boolean;
  onSubmit: (overlapSeconds: number) => void;
  onCancel: () => void;
}

/** Asks for how long an old secret works beside the new one. */
export const OverlapForm = (props: OverlapFormProps) => {
  const { children, label, description, action, secondsMax, error, isBusy } = props;
  const [overlap, setOverlap] = useState<Overlap>("86400");
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit(Number(overlap));
      }}
    >
      <p>{children}</p>
      <Field label={label} description={description}>
        <Select
          choices={overlaps.filter(({ value }) => Number(value) <= secondsMax)}
          value={overlap}
          onChange={setOverlap}
        />
      </Field>
      {error && <FormError error={error} />}
      <DialogButtons action={action} isBusy={isBusy} onCancel={props.onCancel} />
    </form>
  );
};

import { SelectField } from "@latchkey/ui/components/fields.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { type Sending, useForm } from "@latchkey/ui/form/use-form.ts";
import { useTranslation } from "../../languages.ts";

/** The overlaps by their number of seconds. */
const overlaps = [
  ["3600", "hour"],
  ["86400", "day"],
  ["604800", "week"],
] as const;

interface OverlapFormProps {
  /** Explains the change. */
  text: string;
  /** The choice without an overlap. */
  none: string;
  /** The verb of the button. */
  action: string;
  change: Sending;
  onSubmit: (overlapSeconds: number) => void;
  onClose: () => void;
}

/** Asks for how long an old secret works beside the new one. */
export const OverlapForm = ({ text, none, action, change, ...on }: OverlapFormProps) => {
  const t = useTranslation("account");
  const form = useForm({
    defaultValues: { overlap: "86400" },
    change,
    onSubmit: ({ overlap }) => on.onSubmit(Number(overlap)),
  });
  return (
    <DialogForm form={form} action={action} cancelLabel={t("page:cancel")} onClose={on.onClose}>
      <p className="text-muted">{text}</p>
      <SelectField
        {...form.field("overlap")}
        label={t("overlap.label")}
        choices={[
          { value: "0", label: none },
          ...overlaps.map(([value, name]) => ({ value, label: t(`overlap.${name}`) })),
        ]}
      />
    </DialogForm>
  );
};

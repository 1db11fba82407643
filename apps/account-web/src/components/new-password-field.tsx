import { TextField } from "@latchkey/ui/components/fields.tsx";
import type { FieldProps } from "@latchkey/ui/form/use-form.ts";
import { facts } from "../facts.ts";
import { useTranslation } from "../languages.ts";

const { lengthMin, lengthMax } = facts.password ?? { lengthMin: 1, lengthMax: 1024 };

interface NewPasswordFieldProps {
  label: string;
  /** Registers the field with its rule. */
  field: (rules: { validate: (password: string) => true | string }) => FieldProps;
  autoFocus?: boolean;
}

/** Asks for a new password. The hint says the same as the error of a short one, so only one of them is shown. */
export const NewPasswordField = ({ label, field, autoFocus }: NewPasswordFieldProps) => {
  const t = useTranslation("password");
  const control = field({
    validate: ({ length }) => {
      if (length >= lengthMin && length <= lengthMax) return true;
      return t(length < lengthMin ? "tooShort" : "tooLong", { count: lengthMin });
    },
  });
  return (
    <TextField
      {...control}
      label={label}
      hint={control.error === undefined && t("hint", { count: lengthMin })}
      type="password"
      autoComplete="new-password"
      autoFocus={autoFocus}
      dir="ltr"
    />
  );
};

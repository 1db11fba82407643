import { classNames } from "@latchkey/ui/components/class-names.ts";
import { strengthOf } from "@latchkey/ui/components/password-strength.ts";
import type { FieldProps } from "@latchkey/ui/form/use-form.ts";
import { useState } from "react";
import { facts } from "../facts.ts";
import { useTranslation } from "../languages.ts";
import { PasswordField } from "./password-field.tsx";

const { lengthMin, lengthMax } = facts.password ?? { lengthMin: 1, lengthMax: 1024 };

const levels = [1, 2, 3, 4] as const;
const colours = ["", "bg-danger", "bg-warning", "bg-success", "bg-success"];

/** Shows how hard a password is to guess. */
const StrengthMeter = ({ password }: { password: string }) => {
  const t = useTranslation("password");
  const strength = strengthOf(password);
  return (
    <div className="flex items-center gap-1.5" role="status">
      {levels.map((level) => (
        <span
          key={level}
          className={classNames(
            "h-1 flex-1 rounded-full transition-colors",
            level <= strength ? colours[strength] : "bg-pressed",
          )}
        />
      ))}
      <span className="min-w-14 text-end text-xs text-muted">
        {strength !== 0 && t(`strength${strength}`)}
      </span>
    </div>
  );
};

interface NewPasswordFieldProps {
  label: string;
  /** Registers the field with its rule. */
  field: (rules: { validate: (password: string) => true | string }) => FieldProps;
  autoFocus?: boolean;
}

/** Asks for a new password. The hint says the same as the error of a short one, so only one of them is shown. */
export const NewPasswordField = ({ label, field, autoFocus }: NewPasswordFieldProps) => {
  const t = useTranslation("password");
  const [entered, setEntered] = useState("");
  const { onChange, ...control } = field({
    validate: ({ length }) => {
      if (length >= lengthMin && length <= lengthMax) return true;
      return t(length < lengthMin ? "tooShort" : "tooLong", { count: lengthMin });
    },
  });
  return (
    <PasswordField
      {...control}
      onChange={(event) => {
        setEntered(event.target.value);
        void onChange(event);
      }}
      label={label}
      hint={control.error === undefined && t("hint", { count: lengthMin })}
      autoComplete="new-password"
      autoFocus={autoFocus}
      below={entered !== "" && <StrengthMeter password={entered} />}
    />
  );
};

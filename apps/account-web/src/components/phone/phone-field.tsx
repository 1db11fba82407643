import { TextField } from "@latchkey/ui/components/fields.tsx";
import { type FormOf, notBlank } from "@latchkey/ui/form/use-form.ts";
import { useTranslation } from "../../languages.ts";

/** The values of a form that asks for a phone number. */
export interface NumberValues {
  phoneNumber: string;
}

/** The field for a phone number with its country code. */
export const PhoneField = ({ field }: Pick<FormOf<NumberValues>, "field">) => {
  const t = useTranslation("phone");
  return (
    <TextField
      {...field("phoneNumber", { validate: notBlank(t("enter")) })}
      label={t("number")}
      hint={t("hint")}
      type="tel"
      autoComplete="tel"
      autoFocus
      dir="ltr"
    />
  );
};

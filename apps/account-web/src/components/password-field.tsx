import { PasswordField as Control } from "@latchkey/ui/components/password-field.tsx";
import type { ComponentProps } from "react";
import { useTranslation } from "../languages.ts";

type PasswordFieldProps = Omit<ComponentProps<typeof Control>, "showLabel" | "hideLabel">;

/** Asks for a password. A button shows it, in the language of the page. */
export const PasswordField = (props: PasswordFieldProps) => {
  const t = useTranslation("page");
  return <Control {...props} showLabel={t("showPassword")} hideLabel={t("hidePassword")} />;
};

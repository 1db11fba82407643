import { useTranslation } from "react-i18next";
import type { ComponentProps } from "react";
import { TextField } from "../fields.tsx";

/** Asks for the present password of the signed-in user. */
export const PasswordField = (
  props: Omit<ComponentProps<typeof TextField>, "label" | "type" | "dir">,
) => {
  const { t } = useTranslation("account");
  return (
    <TextField
      {...props}
      label={t("yourPassword")}
      type="password"
      autoComplete="current-password"
      dir="ltr"
    />
  );
};

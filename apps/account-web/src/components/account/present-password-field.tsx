import type { ComponentProps } from "react";
import { useTranslation } from "../../languages.ts";
import { PasswordField } from "../password-field.tsx";

/** Asks for the present password of the signed-in user. */
export const PresentPasswordField = (
  props: Omit<ComponentProps<typeof PasswordField>, "label">,
) => {
  const t = useTranslation("account");
  return <PasswordField {...props} label={t("yourPassword")} autoComplete="current-password" />;
};

import type { ComponentProps } from "react";
import { useTranslation } from "../../languages.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";

/** Asks for the present password of the signed-in user. */
export const PasswordField = (
  props: Omit<ComponentProps<typeof TextField>, "label" | "type" | "dir">,
) => {
  const t = useTranslation("account");
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

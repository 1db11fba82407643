import type { Theme } from "@latchkey/ui/theme/theme.ts";
import { t } from "../texts.ts";

export const themeChoices: readonly { value: Theme; label: string }[] = [
  { value: "system", label: t("shell.theme.system") },
  { value: "light", label: t("shell.theme.light") },
  { value: "dark", label: t("shell.theme.dark") },
];

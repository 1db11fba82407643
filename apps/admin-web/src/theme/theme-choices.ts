import type { Theme } from "@latchkey/ui/theme/theme.ts";

export const themeChoices: readonly { value: Theme; label: string }[] = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

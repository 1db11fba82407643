import { chooseTheme, type Theme, useTheme } from "@latchkey/ui/theme/theme.ts";
import { useTranslation } from "react-i18next";

const themes: readonly Theme[] = ["system", "light", "dark"];

/** Lets the user choose between light and dark. */
export const ThemeChoice = () => {
  const { t } = useTranslation("account");
  const theme = useTheme();
  return (
    <select
      aria-label={t("theme.label")}
      value={theme}
      onChange={({ target }) => {
        const chosen = themes.find((known) => known === target.value);
        if (chosen) chooseTheme(chosen);
      }}
      className="h-7 rounded-md border border-transparent bg-transparent px-1 text-xs text-muted hover:border-edge"
    >
      {themes.map((known) => (
        <option key={known} value={known}>
          {t(`theme.${known}`)}
        </option>
      ))}
    </select>
  );
};

import { useTranslation } from "react-i18next";
import { changeLanguage, shownLanguage } from "../languages/i18n.ts";
import { languages } from "../languages/languages.ts";

/** Lets the user choose the language. Each is written in itself. */
export const LanguageChoice = () => {
  const { t } = useTranslation();
  return (
    <select
      aria-label={t("language")}
      value={shownLanguage()}
      onChange={({ target }) => {
        const chosen = languages.find(({ tag }) => tag === target.value);
        if (chosen) void changeLanguage(chosen.tag);
      }}
      className="h-7 rounded-md border border-transparent bg-transparent px-1 text-xs text-muted hover:border-edge"
    >
      {languages.map(({ tag, name }) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
};

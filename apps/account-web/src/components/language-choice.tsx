import { languages } from "@latchkey/contracts/languages.ts";
import { languageFacts } from "@latchkey/i18n/languages.ts";
import { changeLanguage, shownLanguage, useTranslation } from "../languages.ts";

/** Lets the user choose the language. Each is written in itself. */
export const LanguageChoice = () => {
  const t = useTranslation("page");
  return (
    <select
      aria-label={t("language")}
      value={shownLanguage()}
      onChange={({ target }) => {
        const chosen = languages.find((language) => language === target.value);
        if (chosen) void changeLanguage(chosen);
      }}
      className="h-8 rounded-md border border-transparent bg-transparent px-1.5 text-xs text-muted hover:bg-sunken hover:text-ink max-sm:h-10"
    >
      {languages.map((language) => (
        <option key={language} value={language} lang={language}>
          {languageFacts[language].name}
        </option>
      ))}
    </select>
  );
};

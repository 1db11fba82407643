import { type Language, languages } from "@latchkey/contracts/languages.ts";
import type { BrandLink } from "@latchkey/contracts/look.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { SelectField, TextField } from "@latchkey/ui/components/fields.tsx";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { LookFormProps } from "./draft.ts";
import { language as pageLanguage, t } from "../../texts.ts";

const linksMax = 5;

const languageName = new Intl.DisplayNames(pageLanguage, { type: "language" });

export const languageChoices = languages.map((value) => ({
  value,
  label: languageName.of(value) ?? value,
}));

type LinkText = BrandLink["text"];

/** Returns the text that a link has in a language. One text for all languages counts as English. */
const linkTextIn = (text: LinkText, language: Language): string => {
  if (typeof text !== "string") return text[language] ?? "";
  return language === "en" ? text : "";
};

/** Returns the text of a link with another one in a language. An English text alone is for all languages. */
const withLinkText = (text: LinkText, language: Language, changed: string): LinkText => {
  const all = { ...(typeof text === "string" ? { en: text } : text), [language]: changed };
  const filled = Object.entries(all).filter(([, one]) => one !== "");
  const isForAll = filled.every(([one]) => one === "en");
  return isForAll ? (all.en ?? "") : Object.fromEntries(filled);
};

const pages = ["termsURL", "privacyURL", "supportAddress"] as const;

interface LinkRowProps extends Pick<LookFormProps, "problemAt"> {
  link: BrandLink;
  place: number;
  language: Language;
  onChange: (members: Partial<BrandLink>) => void;
  onRemove: () => void;
}

const LinkRow = (props: LinkRowProps) => {
  const { link, place, language, problemAt, onChange, onRemove } = props;
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[2fr_3fr_auto]">
      <TextField
        label={t("branding.links.text", { number: place + 1 })}
        value={linkTextIn(link.text, language)}
        error={problemAt(`links.${place}.text`)}
        onChange={({ target }) =>
          onChange({ text: withLinkText(link.text, language, target.value) })
        }
      />
      <TextField
        label={t("branding.links.url", { number: place + 1 })}
        value={link.url}
        error={problemAt(`links.${place}.url`)}
        onChange={({ target }) => onChange({ url: target.value })}
      />
      <Button
        kind="quiet"
        className="self-end"
        aria-label={t("branding.links.remove", { number: place + 1 })}
        onClick={onRemove}
      >
        <Trash2 />
      </Button>
    </div>
  );
};

/** Edits what stands at the foot of pages and mails. */
export const LinkFields = ({ draft, inherited, problemAt, change }: LookFormProps) => {
  const [language, setLanguage] = useState<Language>(pageLanguage);
  // An application has all links of its own, or those of the installation.
  const links = draft.links ?? inherited.links ?? [];
  const changeLink = (place: number, members: Partial<BrandLink>) =>
    change({
      links: links.map((link, index) => (index === place ? { ...link, ...members } : link)),
    });
  return (
    <Card title={t("branding.links.title")}>
      <div className="flex flex-col gap-4">
        {pages.map((name) => (
          <TextField
            key={name}
            label={t(`branding.links.${name}`)}
            hint={inherited[name] && t("branding.byDefault", { value: inherited[name] })}
            value={draft[name] ?? ""}
            error={problemAt(name)}
            onChange={({ target }) => change({ [name]: target.value || undefined })}
          />
        ))}
        {links.length > 0 && (
          <SelectField
            label={t("branding.links.language")}
            value={language}
            choices={languageChoices}
            onChange={({ target }) =>
              setLanguage(languages.find((one) => one === target.value) ?? "en")
            }
          />
        )}
        {links.map((link, place) => (
          <LinkRow
            // oxlint-disable-next-line react/no-array-index-key -- a link has no other name while it is typed
            key={place}
            {...{ link, place, language, problemAt }}
            onChange={(members) => changeLink(place, members)}
            onRemove={() => change({ links: links.filter((_, index) => index !== place) })}
          />
        ))}
        {links.length < linksMax && (
          <Button
            className="self-start"
            onClick={() => change({ links: [...links, { text: "", url: "" }] })}
          >
            <Plus />
            {t("branding.links.add")}
          </Button>
        )}
      </div>
    </Card>
  );
};

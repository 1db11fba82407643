import { languages } from "@latchkey/contracts/languages.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { SelectField, TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { useState } from "react";
import type { Draft, LookFormProps } from "./draft.ts";
import { chosenFile, BackgroundFields, Logos } from "./image-fields.tsx";
import { languageChoices, LinkFields } from "./link-fields.tsx";
import { language as pageLanguage, t } from "../../texts.ts";

type Texts = NonNullable<NonNullable<Draft["texts"]>["en"]>;

const textFields = [
  "signInTitle",
  "signInText",
  "signUpTitle",
  "signUpText",
  "panelTitle",
  "panelText",
  "note",
] as const satisfies readonly (keyof Texts)[];

interface PickerProps {
  label: string;
  color: string;
  onPick: (color: string) => void;
}

/** The picker of the browser, beside the text of a colour. */
const Picker = ({ label, color, onPick }: PickerProps) => (
  <input
    type="color"
    aria-label={label}
    value={/^#[0-9a-f]{6}$/i.test(color) ? color : "#000000"}
    onChange={({ target }) => onPick(target.value)}
    className="h-5 w-8 self-center rounded-sm border max-sm:h-8"
  />
);

/** Returns the dark colour that shows without one of the draft. One that belongs to another colour does not. */
const inheritedDark = ({ draft, inherited }: Pick<LookFormProps, "draft" | "inherited">) =>
  draft.color === undefined ? inherited.darkColor : undefined;

/** The font before its family is typed and its file is chosen. */
const ownFont = { family: "Own font", file: "./font.woff2" };

const FontFields = ({ draft, inherited, problemAt, change, choose }: LookFormProps) => {
  const font = draft.font ?? inherited.font;
  const fonts = { inter: "inter", system: "system", own: ownFont } as const;
  return (
    <>
      <SelectField
        label={t("branding.name.font")}
        value={typeof font === "object" ? "own" : font}
        choices={[
          { value: "inter", label: "Inter" },
          { value: "system", label: t("branding.name.systemFont") },
          { value: "own", label: t("branding.name.ownFont") },
        ]}
        onChange={({ target: { value } }) => change({ font: fonts[value as keyof typeof fonts] })} // one of the choices
      />
      {typeof font === "object" && (
        <>
          <TextField
            label={t("branding.name.fontFamily")}
            value={font.family}
            error={problemAt("font")}
            onChange={({ target }) => change({ font: { ...font, family: target.value } })}
          />
          <TextField
            type="file"
            accept=".woff2"
            label={t("branding.name.fontFile")}
            hint={font.file}
            error={problemAt("font.file")}
            onChange={(event) => {
              const file = chosenFile(event);
              if (file) change({ font: { ...font, file: choose(file) } });
            }}
          />
        </>
      )}
    </>
  );
};

const NameAndColors = (part: LookFormProps) => {
  const { draft, inherited, problemAt, change } = part;
  const color = draft.color ?? inherited.color;
  const darkColor = inheritedDark(part);
  return (
    <Card title={t("branding.name.title")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t("common.name")}
          hint={t("branding.byDefault", { value: inherited.name ?? pageFacts.appName })}
          value={draft.name ?? ""}
          error={problemAt("name")}
          onChange={({ target }) => change({ name: target.value || undefined })}
          className="sm:col-span-2"
        />
        <TextField
          label={t("branding.name.color")}
          hint={t("branding.byDefault", { value: inherited.color })}
          corner={
            <Picker
              label={t("branding.name.pick")}
              color={color}
              onPick={(picked) => change({ color: picked })}
            />
          }
          value={draft.color ?? ""}
          error={problemAt("color")}
          onChange={({ target }) => change({ color: target.value || undefined })}
        />
        <TextField
          label={t("branding.name.darkColor")}
          hint={
            darkColor === undefined
              ? t("branding.followsByDefault")
              : t("branding.byDefault", { value: darkColor })
          }
          corner={
            <Picker
              label={t("branding.name.pickDark")}
              color={draft.darkColor ?? darkColor ?? color}
              onPick={(picked) => change({ darkColor: picked })}
            />
          }
          value={draft.darkColor ?? ""}
          error={problemAt("darkColor")}
          onChange={({ target }) => change({ darkColor: target.value || undefined })}
        />
        <FontFields {...part} />
        <TextField
          label={t("branding.name.radius")}
          inputMode="numeric"
          value={draft.radius ?? inherited.radius}
          error={problemAt("radius")}
          onChange={({ target }) => change({ radius: Number(target.value) })}
        />
      </div>
    </Card>
  );
};

const LayoutFields = (part: LookFormProps) => {
  const { draft, inherited, change, choose, problemAt, onStyle } = part;
  return (
    <Card title={t("branding.layout.title")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t("branding.layout.layout")}
          value={draft.layout ?? inherited.layout}
          choices={[
            { value: "card", label: t("branding.layout.card") },
            { value: "split", label: t("branding.layout.split") },
          ]}
          onChange={({ target: { value } }) =>
            change({ layout: value === "split" ? "split" : "card" })
          }
        />
        <BackgroundFields {...part} />
        <TextField
          type="file"
          accept=".css"
          label={t("branding.layout.css")}
          error={problemAt("css")}
          onChange={(event) => {
            const file = chosenFile(event);
            if (!file) return;
            change({ css: choose(file) });
            void file.text().then(onStyle);
          }}
        />
      </div>
    </Card>
  );
};

const TextFields = ({ draft, inherited, problemAt, change }: LookFormProps) => {
  const [language, setLanguage] = useState(pageLanguage);
  // An application has all texts of its own, or those of the installation.
  const allTexts = draft.texts ?? inherited.texts;
  const texts = allTexts?.[language] ?? {};
  return (
    <Card title={t("branding.texts.title")}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t("common.language")}
          value={language}
          choices={languageChoices}
          onChange={({ target }) =>
            setLanguage(languages.find((one) => one === target.value) ?? "en")
          }
          className="sm:col-span-2"
        />
        {textFields.map((name) => (
          <TextAreaField
            key={name}
            label={t(`branding.texts.${name}`)}
            rows={2}
            value={texts[name] ?? ""}
            error={problemAt(`texts.${language}.${name}`)}
            onChange={({ target }) =>
              change({
                texts: {
                  ...allTexts,
                  [language]: { ...texts, [name]: target.value || undefined },
                },
              })
            }
          />
        ))}
      </div>
    </Card>
  );
};

/** The members of a look that can be edited here. */
export const LookForm = (props: LookFormProps) => (
  <>
    <NameAndColors {...props} />
    <Logos {...props} />
    <LayoutFields {...props} />
    <TextFields {...props} />
    <LinkFields {...props} />
  </>
);

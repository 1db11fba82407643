import { languages } from "@latchkey/contracts/languages.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { SelectField, TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { useState } from "react";
import type { Draft, LookFormProps } from "./draft.ts";
import { chosenFile, BackgroundFields, Logos } from "./image-fields.tsx";
import { languageChoices, LinkFields } from "./link-fields.tsx";

type Texts = NonNullable<NonNullable<Draft["texts"]>["en"]>;

const textFields = [
  ["signInTitle", "Title of the sign-in"],
  ["signInText", "Text of the sign-in"],
  ["signUpTitle", "Title of the sign-up"],
  ["signUpText", "Text of the sign-up"],
  ["panelTitle", "Title of the panel"],
  ["panelText", "Text of the panel"],
  ["note", "Note below the form"],
] as const satisfies readonly (readonly [keyof Texts, string])[];

interface PickerProps {
  of: string;
  color: string;
  onPick: (color: string) => void;
}

/** The picker of the browser, beside the text of a colour. */
const Picker = ({ of, color, onPick }: PickerProps) => (
  <input
    type="color"
    aria-label={`Pick the ${of}`}
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
        label="Font"
        value={typeof font === "object" ? "own" : font}
        choices={[
          { value: "inter", label: "Inter" },
          { value: "system", label: "Of the system" },
          { value: "own", label: "A font of your own" },
        ]}
        onChange={({ target: { value } }) => change({ font: fonts[value as keyof typeof fonts] })} // one of the choices
      />
      {typeof font === "object" && (
        <>
          <TextField
            label="Family of the font"
            value={font.family}
            error={problemAt("font")}
            onChange={({ target }) => change({ font: { ...font, family: target.value } })}
          />
          <TextField
            type="file"
            accept=".woff2"
            label="File of the font"
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
    <Card title="Name and colour">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Name"
          hint={`By default ${inherited.name ?? pageFacts.appName}`}
          value={draft.name ?? ""}
          error={problemAt("name")}
          onChange={({ target }) => change({ name: target.value || undefined })}
          className="sm:col-span-2"
        />
        <TextField
          label="Colour"
          hint={`By default ${inherited.color}`}
          corner={
            <Picker of="colour" color={color} onPick={(picked) => change({ color: picked })} />
          }
          value={draft.color ?? ""}
          error={problemAt("color")}
          onChange={({ target }) => change({ color: target.value || undefined })}
        />
        <TextField
          label="Colour on dark pages"
          hint={darkColor === undefined ? "By default it follows" : `By default ${darkColor}`}
          corner={
            <Picker
              of="colour on dark pages"
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
          label="Radius in pixels"
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
    <Card title="Pages of signed-out users">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Layout"
          value={draft.layout ?? inherited.layout}
          choices={[
            { value: "card", label: "Card" },
            { value: "split", label: "Split: a panel beside the form" },
          ]}
          onChange={({ target: { value } }) =>
            change({ layout: value === "split" ? "split" : "card" })
          }
        />
        <BackgroundFields {...part} />
        <TextField
          type="file"
          accept=".css"
          label="Style sheet"
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
  const [language, setLanguage] = useState<(typeof languages)[number]>("en");
  // An application has all texts of its own, or those of the installation.
  const allTexts = draft.texts ?? inherited.texts;
  const texts = allTexts?.[language] ?? {};
  return (
    <Card title="Texts">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Language"
          value={language}
          choices={languageChoices}
          onChange={({ target }) =>
            setLanguage(languages.find((one) => one === target.value) ?? "en")
          }
          className="sm:col-span-2"
        />
        {textFields.map(([name, label]) => (
          <TextAreaField
            key={name}
            label={label}
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

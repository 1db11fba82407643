import { languages } from "@latchkey/contracts/languages.ts";
import { isThemed, type Themed } from "@latchkey/contracts/look.ts";
import type { Branding } from "@latchkey/contracts/options/branding.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { SelectField, TextAreaField, TextField } from "@latchkey/ui/components/fields.tsx";
import { pageFacts } from "@latchkey/ui/page-facts.ts";
import { type ChangeEvent, useState } from "react";
import type { Draft } from "./draft.ts";

type Change = (members: Draft) => void;

/** A draft, its problems by member, and the way to change it. */
export interface LookFormProps {
  draft: Draft;
  /** The branding that shows where the draft has nothing. */
  inherited: Branding;
  problemAt: (member: string) => string | undefined;
  change: Change;
  /** Takes a chosen file. Returns its path in the configuration. */
  choose: (file: File) => string;
  /** Takes the chosen style sheet. */
  onStyle: (css: string) => void;
}

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

const languageName = new Intl.DisplayNames("en", { type: "language" });

const fileOf = ({ target }: ChangeEvent<HTMLInputElement>): File | undefined => target.files?.[0];

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

const FontField = ({ draft, inherited, change }: LookFormProps) => {
  const font = draft.font ?? inherited.font;
  return (
    <SelectField
      label="Font"
      value={typeof font === "object" ? "own" : font}
      choices={[
        { value: "inter", label: "Inter" },
        { value: "system", label: "Of the system" },
        ...(typeof font === "object" ? [{ value: "own", label: font.family }] : []),
      ]}
      onChange={({ target: { value } }) =>
        value !== "own" && change({ font: value === "system" ? "system" : "inter" })
      }
    />
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
        <FontField {...part} />
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

/** Returns a logo or background for both kinds of pages, with one of them replaced. */
const withKind = <Value,>(
  value: Value | Themed<Value> | undefined,
  kind: "dark" | "light",
  chosen: Value,
): Value | Themed<Value> => {
  if (value === undefined || (kind === "light" && !isThemed(value))) return chosen;
  return isThemed(value) ? { ...value, [kind]: chosen } : { light: value, dark: chosen };
};

const images = ".svg,.png,.jpg,.jpeg,.webp";

const Logos = ({ draft, inherited, problemAt, change, choose }: LookFormProps) => (
  <Card title="Logo">
    <div className="grid gap-4 sm:grid-cols-2">
      {(["light", "dark"] as const).map((kind) => (
        <TextField
          key={kind}
          type="file"
          accept={images}
          label={`Logo on ${kind} pages`}
          error={problemAt(`logo.${kind}`) ?? problemAt("logo")}
          onChange={(event) => {
            const file = fileOf(event);
            if (file) change({ logo: withKind(draft.logo ?? inherited.logo, kind, choose(file)) });
          }}
        />
      ))}
    </div>
  </Card>
);

type Ground = Exclude<NonNullable<Draft["background"]>, { light: unknown }>;

const kindOf = (ground: Ground | undefined): "color" | "gradient" | "image" | "none" => {
  if (ground === undefined) return "none";
  if (typeof ground === "string") return "color";
  return "colors" in ground ? "gradient" : "image";
};

const grounds: Record<"color" | "gradient", Ground> = {
  color: "#e8eefc",
  gradient: { colors: ["#dbe6ff", "#fde2f3"], angle: 135 },
};

const GroundFields = ({ draft, inherited, problemAt, change, choose }: LookFormProps) => {
  const { background } = draft;
  const changeGround = (light: Ground) =>
    change({ background: withKind<Ground>(background, "light", light) });
  const ground = background !== undefined && isThemed(background) ? background.light : background;
  const kind = kindOf(ground);
  const problem = problemAt("background");
  return (
    <>
      <SelectField
        label="Background"
        value={kind}
        choices={[
          { value: "none", label: inherited.background ? "That of the installation" : "None" },
          { value: "color", label: "Colour" },
          { value: "gradient", label: "Gradient" },
          { value: "image", label: "Image" },
        ]}
        onChange={({ target: { value } }) => {
          if (value === "none") change({ background: undefined });
          if (value === "color" || value === "gradient") changeGround(grounds[value]);
          if (value === "image") changeGround({ image: "./background.jpg" });
        }}
      />
      {typeof ground === "string" && (
        <TextField
          label="Colour of the background"
          value={ground}
          error={problem}
          onChange={({ target }) => changeGround(target.value)}
        />
      )}
      {typeof ground === "object" && "colors" in ground && (
        <TextField
          label="Colours of the gradient"
          hint="Two to four, separated by blanks"
          value={ground.colors.join(" ")}
          error={problem}
          onChange={({ target }) => changeGround({ ...ground, colors: target.value.split(/\s+/) })}
        />
      )}
      {kind === "image" && (
        <TextField
          type="file"
          accept={images}
          label="Image of the background"
          error={problem}
          onChange={(event) => {
            const file = fileOf(event);
            if (file) changeGround({ image: choose(file) });
          }}
        />
      )}
    </>
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
        <GroundFields {...part} />
        <TextField
          type="file"
          accept=".css"
          label="Style sheet"
          error={problemAt("css")}
          onChange={(event) => {
            const file = fileOf(event);
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
          choices={languages.map((value) => ({ value, label: languageName.of(value) ?? value }))}
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

/** The members of a look that can be edited here. Others stay as they are configured. */
export const LookForm = (props: LookFormProps) => (
  <>
    <NameAndColors {...props} />
    <Logos {...props} />
    <LayoutFields {...props} />
    <TextFields {...props} />
  </>
);

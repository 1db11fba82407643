import { isThemed, type Themed } from "@latchkey/contracts/look.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { SelectField, TextField } from "@latchkey/ui/components/fields.tsx";
import type { ChangeEvent } from "react";
import type { Draft, LookFormProps } from "./draft.ts";

/** Returns the file that was chosen in a field. */
export const chosenFile = ({ target }: ChangeEvent<HTMLInputElement>): File | undefined =>
  target.files?.[0];

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

export const Logos = ({ draft, inherited, problemAt, change, choose }: LookFormProps) => (
  <Card title="Logo and icon">
    <div className="grid gap-4 sm:grid-cols-2">
      {(["light", "dark"] as const).map((kind) => (
        <TextField
          key={kind}
          type="file"
          accept={images}
          label={`Logo on ${kind} pages`}
          error={problemAt(`logo.${kind}`) ?? problemAt("logo")}
          onChange={(event) => {
            const file = chosenFile(event);
            if (file) change({ logo: withKind(draft.logo ?? inherited.logo, kind, choose(file)) });
          }}
        />
      ))}
      <TextField
        type="file"
        accept=".svg,.png,.ico"
        label="Icon in tabs"
        error={problemAt("favicon")}
        onChange={(event) => {
          const file = chosenFile(event);
          if (file) change({ favicon: choose(file) });
        }}
      />
    </div>
  </Card>
);

type Background = Exclude<NonNullable<Draft["background"]>, { light: unknown }>;

const kindOf = (background: Background | undefined): "color" | "gradient" | "image" | "none" => {
  if (background === undefined) return "none";
  if (typeof background === "string") return "color";
  return "colors" in background ? "gradient" : "image";
};

const backgrounds: Record<"color" | "gradient", Background> = {
  color: "#e8eefc",
  gradient: { colors: ["#dbe6ff", "#fde2f3"], angle: 135 },
};

const kindChoices = ({ background }: LookFormProps["inherited"]) => [
  { value: "none", label: background ? "That of the installation" : "None" },
  { value: "color", label: "Colour" },
  { value: "gradient", label: "Gradient" },
  { value: "image", label: "Image" },
];

export const BackgroundFields = ({
  draft,
  inherited,
  problemAt,
  change,
  choose,
}: LookFormProps) => {
  const { background: drafted } = draft;
  const changeLight = (light: Background) =>
    change({ background: withKind<Background>(drafted, "light", light) });
  const background = drafted !== undefined && isThemed(drafted) ? drafted.light : drafted;
  const kind = kindOf(background);
  const problem = problemAt("background");
  return (
    <>
      <SelectField
        label="Background"
        value={kind}
        choices={kindChoices(inherited)}
        onChange={({ target: { value } }) => {
          if (value === "none") change({ background: undefined });
          if (value === "color" || value === "gradient") changeLight(backgrounds[value]);
          if (value === "image") changeLight({ image: "./background.jpg" });
        }}
      />
      {typeof background === "string" && (
        <TextField
          label="Colour of the background"
          value={background}
          error={problem}
          onChange={({ target }) => changeLight(target.value)}
        />
      )}
      {typeof background === "object" && "colors" in background && (
        <TextField
          label="Colours of the gradient"
          hint="Two to four, separated by blanks"
          value={background.colors.join(" ")}
          error={problem}
          onChange={({ target }) =>
            changeLight({ ...background, colors: target.value.split(/\s+/) })
          }
        />
      )}
      {kind === "image" && (
        <TextField
          type="file"
          accept={images}
          label="Image of the background"
          error={problem}
          onChange={(event) => {
            const file = chosenFile(event);
            if (file) changeLight({ image: choose(file) });
          }}
        />
      )}
    </>
  );
};

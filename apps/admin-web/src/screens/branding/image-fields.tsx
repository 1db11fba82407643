import { isThemed, type Themed } from "@latchkey/contracts/look.ts";
import { Card } from "@latchkey/ui/components/card.tsx";
import { SelectField, TextField } from "@latchkey/ui/components/fields.tsx";
import type { ChangeEvent } from "react";
import type { Draft, LookFormProps } from "./draft.ts";
import { t } from "../../texts.ts";

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
  <Card title={t("branding.logos.title")}>
    <div className="grid gap-4">
      {(["light", "dark"] as const).map((kind) => (
        <TextField
          key={kind}
          type="file"
          accept={images}
          label={t(`branding.logos.${kind}`)}
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
        label={t("branding.logos.icon")}
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
  { value: "none", label: t(background ? "branding.layout.inherited" : "branding.layout.none") },
  { value: "color", label: t("branding.layout.color") },
  { value: "gradient", label: t("branding.layout.gradient") },
  { value: "image", label: t("branding.layout.image") },
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
        label={t("branding.layout.background")}
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
          label={t("branding.layout.backgroundColor")}
          value={background}
          error={problem}
          onChange={({ target }) => changeLight(target.value)}
        />
      )}
      {typeof background === "object" && "colors" in background && (
        <TextField
          label={t("branding.layout.gradientColors")}
          hint={t("branding.layout.gradientHint")}
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
          label={t("branding.layout.backgroundImage")}
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

import { Checkbox } from "@latchkey/ui/components/checkbox.tsx";
import { t } from "../../texts.ts";

interface RoleChoiceProps {
  names: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** The validation error of the choice. */
  error?: string | undefined;
}

/** Chooses one or more roles. */
export const RoleChoice = ({ names, chosen, onChange, error }: RoleChoiceProps) => (
  <fieldset className="flex flex-col gap-1" data-invalid={error === undefined ? undefined : true}>
    <legend className="font-medium">{t("common.roles")}</legend>
    <div className="flex flex-wrap gap-x-4 gap-y-1">
      {names.map((name) => (
        <label key={name} className="flex min-h-8 items-center gap-2">
          <Checkbox
            checked={chosen.includes(name)}
            onCheckedChange={(checked) =>
              onChange(checked ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          />
          <bdi className="max-w-60 truncate">{name}</bdi>
        </label>
      ))}
    </div>
    {error !== undefined && (
      <p role="alert" className="text-xs text-danger">
        {error}
      </p>
    )}
  </fieldset>
);

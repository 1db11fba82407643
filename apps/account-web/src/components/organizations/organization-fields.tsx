import type { SignUpField } from "@latchkey/contracts";
import { type FormOf, notBlank } from "@latchkey/ui/form/use-form.ts";
import { useTranslation } from "../../languages.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { facts } from "../../facts.ts";
import { AdditionalFields } from "../additional-fields/additional-fields.tsx";
import type { FieldTexts } from "../additional-fields/field-values.ts";
import { isSlug } from "./slug-of.ts";

export interface OrganizationValues {
  name: string;
  slug: string;
  logo: string;
  fields: FieldTexts;
}

/** Returns the values as operations accept them, without the additional fields. */
export const organizationBody = ({ name, slug, logo }: OrganizationValues) => ({
  name: name.trim(),
  slug: slug.trim(),
  ...(logo.trim() && { logo: logo.trim() }),
});

interface OrganizationFieldsProps {
  form: FormOf<OrganizationValues>;
  fields: readonly SignUpField[];
  onName?: (name: string) => void;
}

/** The fields of an organization. */
export const OrganizationFields = ({
  form: { field },
  fields,
  onName,
}: OrganizationFieldsProps) => {
  const t = useTranslation("organizations");
  return (
    <>
      <TextField
        {...field("name", {
          validate: notBlank(t("errors:required")),
          onChange: ({ target }: { target: HTMLInputElement }) => onName?.(target.value),
        })}
        label={t("name")}
        autoComplete="organization"
        dir="auto"
      />
      <TextField
        {...field("slug", { validate: (slug) => isSlug(slug.trim()) || t("slugFault") })}
        label={t("slug")}
        hint={t("slugHint")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      {facts.pictureOrigins.length > 0 && (
        <TextField
          {...field("logo")}
          label={t("logo")}
          hint={t("logoHint")}
          type="url"
          inputMode="url"
          autoComplete="off"
          dir="ltr"
        />
      )}
      <AdditionalFields field={field} fields={fields} />
    </>
  );
};

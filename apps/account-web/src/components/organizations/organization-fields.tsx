import type { UseFormReturn } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { TextField } from "../fields.tsx";
import { isSlug } from "./slug-of.ts";

export interface OrganizationValues {
  name: string;
  slug: string;
  logo: string;
}

/** Returns the values as operations accept them. */
export const organizationBody = ({ name, slug, logo }: OrganizationValues) => ({
  name: name.trim(),
  slug: slug.trim(),
  ...(logo.trim() && { logo: logo.trim() }),
});

interface OrganizationFieldsProps {
  form: UseFormReturn<OrganizationValues>;
  onName?: (name: string) => void;
}

/** The fields of an organization. */
export const OrganizationFields = ({ form, onName }: OrganizationFieldsProps) => {
  const { t } = useTranslation(["organizations", "errors"]);
  const {
    register,
    formState: { errors },
  } = form;
  return (
    <>
      <TextField
        {...register("name", {
          validate: (name) => name.trim() !== "" || t("errors:required"),
          onChange: ({ target }: { target: HTMLInputElement }) => onName?.(target.value),
        })}
        label={t("name")}
        error={errors.name?.message}
        autoComplete="organization"
        dir="auto"
      />
      <TextField
        {...register("slug", { validate: (slug) => isSlug(slug.trim()) || t("slugFault") })}
        label={t("slug")}
        hint={t("slugHint")}
        error={errors.slug?.message}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <TextField
        {...register("logo")}
        label={t("logo")}
        hint={t("logoHint")}
        type="url"
        inputMode="url"
        autoComplete="off"
        dir="ltr"
      />
    </>
  );
};

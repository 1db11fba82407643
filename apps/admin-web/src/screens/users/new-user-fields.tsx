import type { FormOf } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useAccess } from "../../access/use-access.ts";
import { RoleChoice } from "../../components/roles/role-choice.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { requiredFieldPaths, requiredFields } from "../../components/users/required-fields.tsx";
import { emailText } from "../../components/users/email-text.ts";
import { TextField } from "@latchkey/ui/components/fields.tsx";
import { t } from "../../texts.ts";

/** The members that every new user has. */
export const newUserFields = {
  email: emailText,
  name: z
    .string()
    .trim()
    .min(1, t("faults.enterName"))
    .max(1024, t("faults.tooLong", { max: 1024 })),
  roles: z.array(z.string()),
  fields: requiredFields,
};

export interface NewUserFields {
  email: string;
  name: string;
  roles: string[];
  fields: Record<string, string>;
}

type NewUserForm = Pick<FormOf<NewUserFields>, "field" | "choice" | "errorOf">;

/** The fields of values that the operations name differently. */
export const newUserFieldOf = { ...requiredFieldPaths, role: "roles" } as const;

/** The email and name of a new user. */
export const IdentityFields = ({ form }: { form: NewUserForm }) => (
  <>
    <TextField
      {...form.field("email")}
      label={t("common.email")}
      type="email"
      autoComplete="off"
      autoFocus
    />
    <TextField {...form.field("name")} label={t("common.name")} autoComplete="off" dir="auto" />
  </>
);

/** The roles of a new user, for admins who may give roles. */
export const RoleField = ({ form }: { form: NewUserForm }) => {
  const { may } = useAccess();
  const roleNames = useRoleNames("admin.roles");
  const { value, onChange } = form.choice("roles");
  if (!may("user:set-role")) return null;
  return (
    <RoleChoice
      names={roleNames}
      chosen={value}
      onChange={onChange}
      error={form.errorOf("roles")}
    />
  );
};

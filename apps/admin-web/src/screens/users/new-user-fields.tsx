import { type Control, Controller, type UseFormRegister } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useAccess } from "../../access/use-access.ts";
import { RoleChoice } from "../../components/roles/role-choice.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";

/** The members that every new user has. */
export const newUserFields = {
  email: z.email("Enter an email such as name@example.com."),
  name: z.string().trim().min(1, "Enter a name.").max(1024, "Use at most 1,024 characters."),
  roles: z.array(z.string()),
};

export interface NewUserFields {
  email: string;
  name: string;
  roles: string[];
}

type Messages = Partial<Record<"email" | "name" | "role", string>>;

interface FieldsProps {
  register: UseFormRegister<NewUserFields>;
  errors: Messages;
}

/** The email and name of a new user. */
export const IdentityFields = ({ register, errors }: FieldsProps) => (
  <>
    <Field label="Email" error={errors.email}>
      <Input {...register("email")} type="email" autoComplete="off" autoFocus />
    </Field>
    <Field label="Name" error={errors.name}>
      <Input {...register("name")} autoComplete="off" dir="auto" />
    </Field>
  </>
);

interface RoleFieldProps {
  control: Control<NewUserFields>;
  error: string | undefined;
}

/** The roles of a new user, for admins who may give roles. */
export const RoleField = ({ control, error }: RoleFieldProps) => {
  const { may } = useAccess();
  const roleNames = useRoleNames("admin.roles");
  if (!may("user:set-role")) return null;
  return (
    <Controller
      control={control}
      name="roles"
      render={({ field }) => (
        <RoleChoice
          names={roleNames}
          chosen={field.value}
          onChange={field.onChange}
          error={error}
        />
      )}
    />
  );
};

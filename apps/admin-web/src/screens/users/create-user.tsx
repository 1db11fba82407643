import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { useId } from "react";
import { Controller, useForm, useWatch } from "react-hook-form";
import { z } from "zod";
import { useAccess } from "../../access/use-access.ts";
import { operations } from "../../api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { RoleChoice } from "../../components/roles/role-choice.tsx";
import { useRoleNames } from "../../components/roles/use-role-names.ts";
import { Checkbox } from "../../components/ui/checkbox.tsx";
import { Dialog } from "../../components/ui/dialog.tsx";
import { DialogButtons } from "../../components/ui/dialog-buttons.tsx";
import { Field } from "../../components/ui/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Input } from "../../components/ui/input.tsx";
import { PasswordField } from "../../components/users/password-field.tsx";

const newUser = z.object({
  email: z.email("Enter an email such as name@example.com."),
  name: z.string().trim().min(1, "Enter a name.").max(1024, "Use at most 1,024 characters."),
  password: z.string().min(1, "Enter or generate a password."),
  roles: z.array(z.string()),
  isVerified: z.boolean(),
});

const names = ["email", "name", "password", "role"] as const;
const aboutFields = {
  INVALID_EMAIL: "email",
  USER_ALREADY_EXISTS: "email",
  PASSWORD_TOO_SHORT: "password",
  PASSWORD_TOO_LONG: "password",
} as const;

const useCreateUser = () => {
  const navigate = useNavigate();
  const form = useForm({
    resolver: zodResolver(newUser),
    defaultValues: { email: "", name: "", password: "", roles: [] as string[], isVerified: false },
  });
  const create = useOperation(operations.identity.adminCreateUser, {
    showsError: true,
    done: ({ user }) => `${user.email} created.`,
    onDone: ({ user }) => navigate({ to: "/users/$userId", params: { userId: user.id } }),
  });
  const faults = faultsOf(create.error, names, aboutFields);
  const submit = form.handleSubmit(({ email, name, password, roles, isVerified }) =>
    create.mutate({
      body: {
        email,
        name,
        password,
        ...(roles.length > 0 && { role: roles }),
        ...(isVerified && { data: { emailVerified: true } }),
      },
    }),
  );
  return { form, create, faults, submit };
};

type CreateForm = ReturnType<typeof useCreateUser>["form"];

const Choices = ({ form, error }: { form: CreateForm; error: string | undefined }) => {
  const { may } = useAccess();
  const roleNames = useRoleNames("admin.roles");
  const verifiedId = useId();
  return (
    <>
      {may("user:set-role") && (
        <Controller
          control={form.control}
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
      )}
      {may("user:update") && (
        <Controller
          control={form.control}
          name="isVerified"
          render={({ field }) => (
            <label htmlFor={verifiedId} className="flex min-h-8 items-center gap-2">
              <Checkbox
                id={verifiedId}
                checked={field.value}
                onCheckedChange={(checked) => field.onChange(checked)}
              />
              <span>Mark email as verified</span>
            </label>
          )}
        />
      )}
    </>
  );
};

const CreateUserForm = ({ onClose }: { onClose: () => void }) => {
  const { form, create, faults, submit } = useCreateUser();
  const { register, formState, setValue, control } = form;
  const password = useWatch({ control, name: "password" });
  const { errors } = formState;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field label="Email" error={errors.email?.message ?? faults.email}>
        <Input {...register("email")} type="email" autoComplete="off" autoFocus />
      </Field>
      <Field label="Name" error={errors.name?.message ?? faults.name}>
        <Input {...register("name")} autoComplete="off" dir="auto" />
      </Field>
      <PasswordField
        label="Password"
        value={password}
        onMake={(made) => setValue("password", made, { shouldValidate: true })}
        error={errors.password?.message ?? faults.password}
        control={register("password")}
      />
      <Choices form={form} error={faults.role} />
      {create.error && Object.keys(faults).length === 0 && <FormError error={create.error} />}
      <DialogButtons action="Create user" isBusy={create.isPending} onCancel={onClose} />
    </form>
  );
};

interface CreateUserProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Creates a user with a password, without a sign-up. */
export const CreateUser = ({ isOpen, onClose }: CreateUserProps) => (
  <Dialog
    title="Create user"
    description="They can sign in at once, with the password that you tell them."
    isOpen={isOpen}
    onOpenChange={(open) => !open && onClose()}
  >
    <CreateUserForm onClose={onClose} />
  </Dialog>
);

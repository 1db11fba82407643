import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { type Control, Controller, useForm, useWatch } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { toastError } from "../../api/toast-error.ts";
import { useOperation } from "../../api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { DialogButtons } from "@latchkey/ui/components/dialog-buttons.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { PasswordField } from "../../components/users/password-field.tsx";
import { useOption } from "../../components/use-option.ts";
import {
  IdentityFields,
  newUserFields,
  type NewUserFields,
  RoleField,
} from "./new-user-fields.tsx";
import {
  signInOutlook,
  type VerificationChoice,
  verificationChoices,
} from "../../components/users/verification-choice.ts";

const { adminCreateUser, adminResetTwoFactor, adminSendVerification } = operations.identity;

const newUser = z.object({
  ...newUserFields,
  password: z.string().min(1, "Enter or generate a password."),
  verification: z.enum(["none", "verified", "mail"]),
});
type NewUser = z.output<typeof newUser>;

const emptyUser: NewUser = {
  email: "",
  name: "",
  password: "",
  roles: [],
  verification: "none",
};
const draft = "create-user";

const names = ["email", "name", "password", "role"] as const;
const aboutFields = {
  INVALID_EMAIL: "email",
  USER_ALREADY_EXISTS: "email",
  PASSWORD_TOO_SHORT: "password",
  PASSWORD_TOO_LONG: "password",
} as const;

const useCreateUser = () => {
  const navigate = useNavigate();
  const form = useForm<NewUser>({
    resolver: zodResolver(newUser),
    defaultValues: emptyUser,
  });
  useDraft({ form, name: draft, defaults: emptyUser, secrets: ["password"] });
  const create = useOperation(adminCreateUser, {
    showsError: true,
    done: ({ user }) => `${user.email} created.`,
    onDone: async ({ user: { id } }) => {
      discardDraft(draft);
      // The user exists now, whether the mail can be sent or not.
      if (form.getValues("verification") === "mail")
        await call(adminSendVerification, { params: { id } }).catch(toastError);
      await navigate({ to: "/users/$userId", params: { userId: id } });
    },
  });
  const faults = faultsOf(create.error, names, aboutFields);
  const submit = form.handleSubmit(({ email, name, password, roles, verification }) =>
    create.mutate({
      body: {
        email,
        name,
        password,
        ...(roles.length > 0 && { role: roles }),
        ...(verification === "verified" && { data: { emailVerified: true } }),
      },
    }),
  );
  return { form, create, faults, submit };
};

const isOn = (option: unknown): boolean | undefined =>
  typeof option === "boolean" ? option : undefined;

/** Returns whether a second factor is required of users with some roles, as far as this admin may read it. */
const useRequiresSecondFactor = (roles: readonly string[]): boolean => {
  const ofEveryone = useOption("twoFactor.required.everyone");
  const ofRoles = useOption("twoFactor.required.roles");
  const isRequired =
    ofEveryone === true || (Array.isArray(ofRoles) && roles.some((role) => ofRoles.includes(role)));
  return isRequired && isOffered(adminResetTwoFactor);
};

/** Chooses what happens to the email of the user, and says when they can sign in. */
const VerificationField = ({ control }: { control: Control<NewUser> }) => {
  const { may } = useAccess();
  const roles = useWatch({ control, name: "roles" });
  const rules = {
    allowsPasswords: isOn(useOption("emailAndPassword.enabled")),
    requiresVerification: isOn(useOption("emailAndPassword.requireEmailVerification")),
    requiresSecondFactor: useRequiresSecondFactor(roles),
  };
  const sendsMails = isOn(useOption("emailVerification.enabled")) ?? true;
  const choice: VerificationChoice = useWatch({ control, name: "verification" });
  const choices = verificationChoices({
    mayVerify: may("user:set-email"),
    maySendMail: sendsMails && may("user:update"),
  });
  return (
    <Field label="Email verification" description={signInOutlook(choice, rules)}>
      <Controller
        control={control}
        name="verification"
        render={({ field }) => (
          <Select choices={choices} value={field.value} onChange={field.onChange} />
        )}
      />
    </Field>
  );
};

const CreateUserForm = ({ onClose }: { onClose: () => void }) => {
  const { form, create, faults, submit } = useCreateUser();
  const { register, formState, setValue, control } = form;
  const password = useWatch({ control, name: "password" });
  const { errors } = formState;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <IdentityFields
        register={register}
        errors={{
          ...faults,
          ...(errors.email?.message && { email: errors.email.message }),
          ...(errors.name?.message && { name: errors.name.message }),
        }}
      />
      <PasswordField
        label="Password"
        value={password}
        onMake={(made) => setValue("password", made, { shouldValidate: true })}
        error={errors.password?.message ?? faults.password}
        control={register("password")}
      />
      <RoleField control={control as unknown as Control<NewUserFields>} error={faults.role} />
      <VerificationField control={control} />
      {create.error && Object.keys(faults).length === 0 && <FormError error={create.error} />}
      <DialogButtons action="Create user" isBusy={create.isPending} onCancel={onClose} />
    </form>
  );
};

interface CreateUserProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Creates a user with a password, without a sign-up. */
export const CreateUser = ({ isOpen, onOpenChange }: CreateUserProps) => {
  const giveUp = () => {
    discardDraft(draft);
    onOpenChange(false);
  };
  return (
    <Dialog
      title="Create user"
      description="You choose a password and pass it on. To let the user choose one, invite them."
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
    >
      <CreateUserForm onClose={giveUp} />
    </Dialog>
  );
};

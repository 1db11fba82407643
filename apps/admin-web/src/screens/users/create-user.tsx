import { showEmail } from "@latchkey/contracts/email-address.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useNavigate } from "@tanstack/react-router";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { type FormOf, useForm } from "@latchkey/ui/form/use-form.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { useAccess } from "../../access/use-access.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { toastError } from "../../api/explain.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { discardDraft, useDraft } from "../../components/kept/use-draft.ts";
import { Dialog } from "@latchkey/ui/components/dialog.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";
import { PasswordField } from "../../components/users/password-field.tsx";
import { RequiredFields, startTexts } from "../../components/users/required-fields.tsx";
import { useOption } from "../../components/use-option.ts";
import { IdentityFields, newUserFieldOf, newUserFields, RoleField } from "./new-user-fields.tsx";
import { signInOutlook, verificationChoices } from "../../components/users/verification-choice.ts";
import { t } from "../../texts.ts";

const { adminCreateUser, adminResetTwoFactor, adminSendVerification } = operations.identity;

const newUser = z.object({
  ...newUserFields,
  password: z.string().min(1, t("users.password.enter")),
  verification: z.enum(["none", "verified", "mail"]),
});
type NewUser = z.input<typeof newUser>;
type ReadUser = z.output<typeof newUser>;

const emptyUser: NewUser = {
  email: "",
  name: "",
  password: "",
  roles: [],
  fields: startTexts(),
  verification: "none",
};
const draft = "create-user";

const useCreateUser = () => {
  const navigate = useNavigate();
  const create = useOperation(adminCreateUser, {
    showsError: true,
    done: ({ user }) => t("users.create.done", { email: showEmail(user.email) }),
    onDone: async ({ user: { id } }) => {
      discardDraft(draft);
      // The user exists now, whether the mail can be sent or not.
      if (form.getValues("verification") === "mail")
        await call(adminSendVerification, { params: { id } }).catch(toastError);
      await navigate({ to: "/users/$userId", params: { userId: id } });
    },
  });
  const form = useForm<NewUser, ReadUser>({
    resolver: zodResolver(newUser),
    defaultValues: emptyUser,
    change: create,
    fieldOf: newUserFieldOf,
    onSubmit: ({ email, name, password, roles, fields, verification }) =>
      create.mutate({
        body: {
          email,
          name,
          password,
          ...(roles.length > 0 && { role: roles }),
          data: { ...fields, ...(verification === "verified" && { emailVerified: true }) },
        },
      }),
  });
  useDraft({ form, name: draft, defaults: emptyUser, excluded: ["password"] });
  return form;
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
const VerificationField = ({ form }: { form: FormOf<NewUser, ReadUser> }) => {
  const { may } = useAccess();
  const rules = {
    allowsPasswords: isOn(useOption("emailAndPassword.enabled")),
    requiresVerification: isOn(useOption("emailAndPassword.requireEmailVerification")),
    requiresSecondFactor: useRequiresSecondFactor(form.watch("roles")),
  };
  const sendsMails = isOn(useOption("emailVerification.enabled")) ?? true;
  const choice = form.choice("verification");
  const choices = verificationChoices({
    mayVerify: may("user:set-email"),
    maySendMail: sendsMails && may("user:update"),
  });
  return (
    <Field label={t("users.create.verification")} description={signInOutlook(choice.value, rules)}>
      <Select choices={choices} {...choice} />
    </Field>
  );
};

const CreateUserForm = ({ onClose }: { onClose: () => void }) => {
  const form = useCreateUser();
  return (
    <DialogForm form={form} action={t("users.create.title")} onClose={onClose}>
      <IdentityFields form={form} />
      <PasswordField
        label={t("common.password")}
        value={form.watch("password")}
        onMake={(made) => form.setValue("password", made, { shouldValidate: true })}
        field={form.field("password")}
      />
      <RequiredFields form={form} />
      <RoleField form={form} />
      <VerificationField form={form} />
    </DialogForm>
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
      title={t("users.create.title")}
      description={t("users.create.text")}
      isOpen={isOpen}
      onOpenChange={(open) => !open && giveUp()}
    >
      <CreateUserForm onClose={giveUp} />
    </Dialog>
  );
};

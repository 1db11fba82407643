import { Button } from "@latchkey/ui/components/button.tsx";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { looksLikeEmail } from "../../components/email-rule.ts";
import { useErrorText } from "../../components/error-text.ts";
import { TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { passwordFault, passwordLengthMin } from "../../components/new-password-rule.ts";
import { takesUsernames } from "../../components/takes-usernames.ts";
import { facts } from "../../facts.ts";
import { AdditionalField } from "./additional-field.tsx";
import { faultyField, type SignUpValues, useSignUp } from "./use-sign-up.ts";

/** Creates an account by an email and a password. */
export const SignUpForm = (use: Parameters<typeof useSignUp>[0]) => {
  const { t } = useTranslation(["signUp", "signIn", "password", "errors"]);
  const signUp = useSignUp(use);
  const errorText = useErrorText();
  const { register, handleSubmit, formState } = useForm<SignUpValues>({
    defaultValues: { name: "", email: "", username: "", password: "", fields: {} },
  });
  const { errors } = formState;
  const faulty = faultyField(signUp.error);
  /** The error of the form, else that of the server about the same field. */
  const errorOf = (name: "email" | "username" | "password") =>
    errors[name]?.message ?? (faulty === name ? errorText(signUp.error) : undefined);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit((given) => signUp.mutate(given))(event)}
    >
      <TextField
        {...register("name", { validate: (text) => text.trim() !== "" || t("enterName") })}
        label={t("name")}
        error={errors.name?.message}
        autoComplete="name"
        autoFocus
      />
      <TextField
        {...register("email", {
          validate: (text) => looksLikeEmail(text) || t("signIn:enterEmail"),
        })}
        label={t("signIn:email")}
        error={errorOf("email")}
        type="email"
        autoComplete="email"
        dir="ltr"
      />
      {takesUsernames && (
        <TextField
          {...register("username")}
          label={t("username")}
          error={errorOf("username")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
      )}
      <TextField
        {...register("password", {
          validate: (text) => {
            const fault = passwordFault(text);
            return fault === undefined || t(`password:${fault}`, { count: passwordLengthMin });
          },
        })}
        label={t("signIn:password")}
        hint={t("password:hint", { count: passwordLengthMin })}
        error={errorOf("password")}
        type="password"
        autoComplete="new-password"
        dir="ltr"
      />
      {facts.fields.map((field) => (
        <AdditionalField
          key={field.name}
          {...register(`fields.${field.name}`, {
            required: field.required && field.type !== "boolean" && t("errors:required"),
          })}
          field={field}
          error={errors.fields?.[field.name]?.message}
        />
      ))}
      {signUp.error && faulty === undefined && <FormError error={signUp.error} />}
      <Button type="submit" kind="primary" className="h-10" isBusy={signUp.isPending}>
        {t("submit")}
      </Button>
    </form>
  );
};

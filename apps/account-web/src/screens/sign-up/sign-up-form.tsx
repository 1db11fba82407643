import { Button } from "@latchkey/ui/components/button.tsx";
import { useEffect } from "react";
import { useForm, type UseFormReturn } from "react-hook-form";
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

interface FieldsProps extends Pick<UseFormReturn<SignUpValues>, "formState" | "register"> {
  /** The refusal of the server, which may be about a field. */
  refusal: unknown;
}

/** Returns the error of a field: that of the form, else that of the server. */
const useFieldErrors = ({ formState: { errors }, refusal }: FieldsProps) => {
  const errorText = useErrorText();
  const faulty = faultyField(refusal);
  return (name: "email" | "username" | "password") =>
    errors[name]?.message ?? (faulty === name ? errorText(refusal) : undefined);
};

const NameFields = (props: FieldsProps) => {
  const { t } = useTranslation(["signUp", "signIn"]);
  const errorOf = useFieldErrors(props);
  const { register, formState } = props;
  return (
    <>
      <TextField
        {...register("name", { validate: (text) => text.trim() !== "" || t("enterName") })}
        label={t("name")}
        error={formState.errors.name?.message}
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
    </>
  );
};

const PasswordField = (props: FieldsProps) => {
  const { t } = useTranslation(["signIn", "password"]);
  const errorOf = useFieldErrors(props);
  return (
    <TextField
      {...props.register("password", {
        validate: (text) => {
          const fault = passwordFault(text);
          return fault === undefined || t(`password:${fault}`, { count: passwordLengthMin });
        },
      })}
      label={t("password")}
      hint={t("password:hint", { count: passwordLengthMin })}
      error={errorOf("password")}
      type="password"
      autoComplete="new-password"
      dir="ltr"
    />
  );
};

/** Creates an account by an email and a password. */
export const SignUpForm = (use: Parameters<typeof useSignUp>[0]) => {
  const { t } = useTranslation(["signUp", "errors"]);
  const signUp = useSignUp(use);
  const { register, handleSubmit, formState, setFocus } = useForm<SignUpValues>({
    defaultValues: { name: "", email: "", username: "", password: "", fields: {} },
  });
  const { error, isPending } = signUp;
  // As the form does with errors that it finds itself.
  useEffect(() => {
    const faulty = faultyField(error);
    if (faulty !== undefined) setFocus(faulty);
  }, [error, setFocus]);
  const fields = { register, formState, refusal: error };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit((given) => signUp.mutate(given))(event)}
    >
      <NameFields {...fields} />
      <PasswordField {...fields} />
      {facts.fields.map((field) => (
        <AdditionalField
          key={field.name}
          {...register(`fields.${field.name}`, {
            required: field.required && field.type !== "boolean" && t("errors:required"),
          })}
          field={field}
          error={formState.errors.fields?.[field.name]?.message}
        />
      ))}
      {error && faultyField(error) === undefined && <FormError error={error} />}
      <Button type="submit" kind="primary" className="h-10" isBusy={isPending}>
        {t("submit")}
      </Button>
    </form>
  );
};

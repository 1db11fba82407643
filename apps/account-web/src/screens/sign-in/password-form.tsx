import { Button } from "@latchkey/ui/components/button.tsx";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { CheckField, TextField } from "../../components/fields.tsx";
import { FormError } from "../../components/form-error.tsx";
import { type SignInUse, takesUsernames, useSignIn } from "./use-sign-in.ts";

/** Signs in by an email or username and a password. */
export const PasswordForm = (use: SignInUse) => {
  const { t } = useTranslation("signIn");
  const signIn = useSignIn(use);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { identifier: "", password: "", rememberMe: true },
  });
  const { errors } = formState;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) =>
        void handleSubmit(({ identifier, ...rest }) =>
          signIn.mutate({ identifier: identifier.trim(), ...rest }),
        )(event)
      }
    >
      <TextField
        {...register("identifier", {
          validate: (text) =>
            text.trim() !== "" || t(takesUsernames ? "enterEmailOrUsername" : "enterEmail"),
        })}
        label={takesUsernames ? t("emailOrUsername") : t("email")}
        error={errors.identifier?.message}
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        dir="ltr"
      />
      <TextField
        {...register("password", { required: t("enterPassword") })}
        label={t("password")}
        error={errors.password?.message}
        type="password"
        autoComplete="current-password"
        dir="ltr"
      />
      <CheckField {...register("rememberMe")} label={t("stay")} />
      {signIn.error && <FormError error={signIn.error} />}
      <Button type="submit" kind="primary" isBusy={signIn.isPending}>
        {t("submit")}
      </Button>
    </form>
  );
};

import { zodResolver } from "@hookform/resolvers/zod";
import { KeyRound } from "lucide-react";
import { useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { offersPasskeys } from "@latchkey/ui/passkeys/offers-passkeys.ts";
import { usePasskey } from "./use-passkey.ts";
import { type SignInUse, takesUsernames, useSignIn } from "./use-sign-in.ts";

const credentials = z.object({
  identifier: z
    .string()
    .trim()
    .min(1, takesUsernames ? "Enter your email or username." : "Enter your email."),
  password: z.string().min(1, "Enter your password."),
});

export const SignInForm = (use: SignInUse) => {
  const signIn = useSignIn(use);
  const passkey = usePasskey(use);
  const error = passkey.error ?? signIn.error;
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(credentials),
    defaultValues: { identifier: "", password: "" },
  });
  const { errors } = formState;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        passkey.reset();
        void handleSubmit((given) => signIn.mutate(given))(event);
      }}
    >
      <Field
        label={takesUsernames ? "Email or username" : "Email"}
        error={errors.identifier?.message}
      >
        <Input
          {...register("identifier")}
          autoComplete={offersPasskeys ? "username webauthn" : "username"}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
      </Field>
      <Field label="Password" error={errors.password?.message}>
        <Input {...register("password")} type="password" autoComplete="current-password" />
      </Field>
      {error && <FormError error={error} />}
      <Button type="submit" kind="primary" isBusy={signIn.isPending}>
        Sign in
      </Button>
      {offersPasskeys && (
        <Button
          isBusy={passkey.isPending}
          onClick={() => {
            signIn.reset();
            passkey.mutate(undefined);
          }}
        >
          <KeyRound />
          Sign in with a passkey
        </Button>
      )}
    </form>
  );
};

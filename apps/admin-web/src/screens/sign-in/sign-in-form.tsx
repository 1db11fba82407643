import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { refusalOf } from "../../access/access.ts";
import { accessQuery } from "../../access/access-query.ts";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Input } from "../../components/ui/input.tsx";
import { placeOf } from "../../routes/place-of.ts";
import { takesUsernames, useSignIn } from "./use-sign-in.ts";

const route = getRouteApi("/sign-in");

const credentials = z.object({
  identifier: z
    .string()
    .trim()
    .min(
      1,
      takesUsernames ? "Enter your e-mail address or username." : "Enter your e-mail address.",
    ),
  password: z.string().min(1, "Enter your password."),
});

/** Returns a function that reads the access of the new session and sends admins to the screen that they wanted. */
const useEnter = () => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { redirect = "/" } = route.useSearch();
  return async () => {
    client.removeQueries({ queryKey: ["operation"] });
    const access = await client.fetchQuery({ ...accessQuery, staleTime: 0 });
    if (refusalOf(access) === undefined) await navigate(placeOf(redirect));
  };
};

export const SignInForm = () => {
  const enter = useEnter();
  const signIn = useSignIn(enter);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(credentials),
    defaultValues: { identifier: "", password: "" },
  });
  const { errors } = formState;
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit((given) => signIn.mutate(given))(event)}
    >
      <Field
        label={takesUsernames ? "E-mail or username" : "E-mail"}
        error={errors.identifier?.message}
      >
        <Input
          {...register("identifier")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
      </Field>
      <Field label="Password" error={errors.password?.message}>
        <Input {...register("password")} type="password" autoComplete="current-password" />
      </Field>
      {signIn.error && <FormError error={signIn.error} />}
      <Button type="submit" kind="primary" isBusy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  );
};

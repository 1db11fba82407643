import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { accessQuery } from "../../access/access-query.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";

const firstAdmin = z
  .object({
    name: z.string().trim().min(1, "Enter your name."),
    email: z.email("Enter an email such as name@example.com."),
    password: z.string().min(1, "Enter a password."),
    again: z.string(),
  })
  .refine(({ password, again }) => password === again, {
    path: ["again"],
    message: "The passwords do not match.",
  });

const fields = [
  { name: "name", label: "Name", type: "text", autoComplete: "name" },
  { name: "email", label: "Email", type: "email", autoComplete: "username" },
  { name: "password", label: "Password", type: "password", autoComplete: "new-password" },
  { name: "again", label: "Confirm password", type: "password", autoComplete: "new-password" },
] as const;

export const FirstRunForm = ({ token }: { token: string }) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const create = useOperation(operations.identity.completeFirstRun, {
    showsError: true,
    done: "Admin account created.",
    onDone: async () => {
      await client.fetchQuery({ ...accessQuery, staleTime: 0 });
      await navigate({ to: "/", replace: true });
    },
  });
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(firstAdmin),
    defaultValues: { name: "", email: "", password: "", again: "" },
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) =>
        void handleSubmit(({ name, email, password }) =>
          create.mutate({ body: { token, name, email, password } }),
        )(event)
      }
    >
      {fields.map(({ name, label, ...rest }) => (
        <Field key={name} label={label} error={formState.errors[name]?.message}>
          <Input {...register(name)} {...rest} autoFocus={name === "name"} />
        </Field>
      ))}
      {create.error && <FormError error={create.error} />}
      <Button type="submit" kind="primary" isBusy={create.isPending}>
        Create admin account
      </Button>
    </form>
  );
};

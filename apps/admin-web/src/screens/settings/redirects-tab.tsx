import { zodResolver } from "@hookform/resolvers/zod";
import { CircleCheck, CircleX } from "lucide-react";
import { Controller, useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Select } from "@latchkey/ui/components/select.tsx";

const urlLengthMax = 2048;

const question = z.object({
  url: z
    .string()
    .min(1, "Enter the URL or path to test.")
    .max(urlLengthMax, `Use at most ${urlLengthMax} characters.`),
  field: z.enum(["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]),
});

const fields = question.shape.field.options.map((value) => ({ value, label: value }));

interface Verdict {
  allowed: boolean;
  reason: string;
}

const VerdictNotice = ({ verdict: { allowed, reason } }: { verdict: Verdict }) => (
  <Notice tone={allowed ? "success" : "warning"}>
    <p className="flex items-center gap-1.5 font-medium [&_svg]:size-4">
      {allowed ? <CircleCheck aria-hidden="true" /> : <CircleX aria-hidden="true" />}
      {allowed ? "Allowed" : "Refused"}
    </p>
    <p>{reason}</p>
  </Notice>
);

const RedirectForm = () => {
  const ask = useOperation(operations.gateway.adminTestRedirect, { showsError: true });
  const { register, handleSubmit, control, formState } = useForm({
    resolver: zodResolver(question),
    defaultValues: { url: "", field: "callbackURL" as const },
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => void handleSubmit((body) => ask.mutate({ body }))(event)}
    >
      <div className="flex flex-wrap items-start gap-3">
        <Field
          label="URL or path"
          error={formState.errors.url?.message}
          className="min-w-64 flex-1"
        >
          <Input
            {...register("url")}
            placeholder="https://app.example.com/welcome"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Field label="Field" className="w-52">
          <Controller
            control={control}
            name="field"
            render={({ field }) => (
              <Select choices={fields} value={field.value} onChange={field.onChange} />
            )}
          />
        </Field>
      </div>
      <Button type="submit" kind="primary" className="self-start" isBusy={ask.isPending}>
        Test
      </Button>
      {ask.error && <FormError error={ask.error} />}
      <div role="status" className="break-words">
        {ask.data && !ask.isPending && <VerdictNotice verdict={ask.data} />}
      </div>
    </form>
  );
};

/** Checks whether a redirect target is allowed, and says why. */
export const RedirectsTab = () => (
  <Card title="Test a redirect" className="max-w-3xl">
    <p className="mb-4 text-muted">
      The same rules apply as for client requests. Paths, the base URL's origin, and the origins in
      trustedOrigins are allowed.
    </p>
    <RedirectForm />
  </Card>
);

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { useOperation } from "../../api/use-operation.ts";
import { FormError } from "../../components/errors/form-error.tsx";
import { unblockedText } from "../../components/rate-limits/unblock-address.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { Field } from "@latchkey/ui/components/field.tsx";
import { Input } from "@latchkey/ui/components/input.tsx";

const blocked = z.object({
  ipAddress: z
    .string()
    .trim()
    .refine(
      (text) => z.union([z.ipv4(), z.ipv6()]).safeParse(text).success,
      "Enter an IP address such as 203.0.113.7.",
    ),
});

/** Unblocks a rate-limited IP address. */
export const RateLimitsTab = () => {
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver: zodResolver(blocked),
    defaultValues: { ipAddress: "" },
  });
  const reset = useOperation(operations.gateway.adminResetRateLimits, {
    showsError: true,
    done: (reply) => unblockedText(getValues("ipAddress").trim(), reply),
  });
  return (
    <Card title="Unblock an IP address" className="max-w-3xl">
      <p className="mb-4 text-muted">
        Resets all rate limits of an IP address. For an IPv6 address, the limits of its /64 network
        are reset.
      </p>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => void handleSubmit((body) => reset.mutate({ body }))(event)}
      >
        <Field label="IP address" error={formState.errors.ipAddress?.message} className="max-w-96">
          <Input {...register("ipAddress")} autoComplete="off" spellCheck={false} />
        </Field>
        <Button type="submit" kind="primary" className="self-start" isBusy={reset.isPending}>
          Unblock
        </Button>
        {reset.error && <FormError error={reset.error} />}
      </form>
    </Card>
  );
};

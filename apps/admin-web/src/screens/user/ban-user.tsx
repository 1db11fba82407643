import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm, useWatch } from "react-hook-form";
import { z } from "zod";
import { operations } from "../../api/contracts.ts";
import { faultsOf } from "../../api/faults-of.ts";
import { useOperation } from "../../api/use-operation.ts";
import { Dialog } from "../../components/ui/dialog.tsx";
import { DialogButtons } from "../../components/ui/dialog-buttons.tsx";
import { Field } from "../../components/ui/field.tsx";
import { FormError } from "../../components/errors/form-error.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Select } from "../../components/ui/select.tsx";
import { Textarea } from "../../components/ui/textarea.tsx";
import { banLengthNames, banLengths, banSeconds } from "./ban-length.ts";
import type { UserDialogProps } from "./confirmations.tsx";
import type { User } from "./use-user.ts";

const banForm = z
  .object({
    reason: z.string().trim().max(1024, "Use at most 1,024 characters."),
    length: z.enum(banLengthNames),
    until: z.string(),
  })
  .refine(
    ({ length, until }) =>
      length !== "until" || (banSeconds(length, until, new Date()) ?? Number.NaN) > 0,
    { path: ["until"], message: "Choose today or a later day." },
  );

const banOf = ({ id }: User, { reason, length, until }: z.output<typeof banForm>) => {
  const banExpiresIn = banSeconds(length, until, new Date());
  return {
    userId: id,
    ...(reason && { banReason: reason }),
    ...(banExpiresIn !== undefined && { banExpiresIn }),
  };
};

const useBan = ({ user, onClose }: UserDialogProps) => {
  const form = useForm({
    resolver: zodResolver(banForm),
    defaultValues: { reason: "", length: "usual" as const, until: "" },
  });
  const ban = useOperation(operations.identity.adminBanUser, {
    showsError: true,
    done: `${user.email} banned and signed out everywhere.`,
    onDone: onClose,
  });
  const submit = form.handleSubmit((given) => ban.mutate({ body: banOf(user, given) }));
  return { form, ban, submit, faults: faultsOf(ban.error, ["banReason", "banExpiresIn"]) };
};

const BanForm = (props: UserDialogProps) => {
  const { form, ban, submit, faults } = useBan(props);
  const { register, control, formState } = form;
  const length = useWatch({ control, name: "length" });
  const { errors } = formState;
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label="Reason"
        description="Stored with the user and in the audit log."
        error={errors.reason?.message ?? faults.banReason}
      >
        <Textarea {...register("reason")} dir="auto" autoFocus />
      </Field>
      <Field label="Duration" error={faults.banExpiresIn}>
        <Controller
          control={control}
          name="length"
          render={({ field }) => (
            <Select choices={banLengths} value={field.value} onChange={field.onChange} />
          )}
        />
      </Field>
      {length === "until" && (
        <Field label="Last day (UTC)" error={errors.until?.message}>
          <Input {...register("until")} type="date" />
        </Field>
      )}
      {ban.error && Object.keys(faults).length === 0 && <FormError error={ban.error} />}
      <DialogButtons
        action="Ban user"
        isDangerous
        isBusy={ban.isPending}
        onCancel={props.onClose}
      />
    </form>
  );
};

/** Bans a user temporarily or permanently. */
export const BanUser = (props: UserDialogProps) => (
  <Dialog
    title="Ban user"
    description={
      <>
        <bdi className="break-words">{props.user.email}</bdi> is signed out everywhere and cannot
        sign in until the ban ends or you unban them.
      </>
    }
    isOpen
    onOpenChange={(isOpen) => !isOpen && props.onClose()}
  >
    <BanForm {...props} />
  </Dialog>
);

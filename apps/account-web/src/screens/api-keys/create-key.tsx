import { operations } from "@latchkey/ui/api/contracts.ts";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { DialogForm } from "../../components/account/dialog-form.tsx";
import { SecretDialog } from "../../components/account/secret-dialog.tsx";
import { SelectField } from "../../components/account/select-field.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { TextField } from "../../components/fields.tsx";

const daySeconds = 86_400;
const days = [7, 30, 90, 365];

/** Returns the lifetime of a key in seconds: null without an end, undefined for that of the installation. */
const lifetimeOf = (choice: string): number | null | undefined => {
  if (choice === "standard") return undefined;
  return choice === "never" ? null : Number(choice) * daySeconds;
};

type Created = CallReply<typeof operations.apikey.createApiKey>;

interface CreateFormProps {
  create: ReturnType<typeof useAct<typeof operations.apikey.createApiKey>>;
  onClose: () => void;
}

const CreateForm = ({ create, onClose }: CreateFormProps) => {
  const { t } = useTranslation(["apiKeys", "errors"]);
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name: "", lifetime: "standard" },
  });
  return (
    <DialogForm
      action={t("create.action")}
      change={create}
      onSubmit={handleSubmit(({ name, lifetime }) =>
        create.mutate({ body: { name: name.trim(), expiresIn: lifetimeOf(lifetime) } }),
      )}
      onClose={onClose}
    >
      <p className="text-muted">{t("create.text")}</p>
      <TextField
        {...register("name", { validate: (name) => name.trim() !== "" || t("errors:required") })}
        label={t("name")}
        hint={t("create.nameHint")}
        error={formState.errors.name?.message}
        autoComplete="off"
        dir="auto"
      />
      <SelectField
        {...register("lifetime")}
        label={t("create.expires")}
        choices={[
          { value: "standard", label: t("create.standard") },
          ...days.map((count) => ({ value: String(count), label: t("create.days", { count }) })),
          { value: "never", label: t("create.never") },
        ]}
      />
    </DialogForm>
  );
};

/** Creates a key, and shows it once. */
export const CreateKey = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation("apiKeys");
  const [created, setCreated] = useState<Created>();
  const create = useAct(operations.apikey.createApiKey, { onDone: setCreated });
  const form = (close: () => void) => <CreateForm create={create} onClose={close} />;
  return (
    <SecretDialog
      title={t("create.title")}
      createdTitle={t("created.title")}
      label={t("created.key")}
      created={created}
      secretOf={({ key }) => key}
      isPending={create.isPending}
      onClose={onClose}
      form={form}
    />
  );
};

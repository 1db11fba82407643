import { operations } from "@latchkey/ui/api/contracts.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../components/account/copy-button.tsx";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
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

interface NewKeyProps {
  text: string;
  onClose: () => void;
}

/** Shows the text of a new key, which is available only here. */
const NewKey = ({ text, onClose }: NewKeyProps) => {
  const { t } = useTranslation("apiKeys");
  return (
    <OpenDialog title={t("created.title")} onClose={onClose}>
      <div className="flex flex-col gap-4">
        <Notice tone="warning">{t("created.text")}</Notice>
        <TextField
          label={t("created.key")}
          readOnly
          value={text}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          onFocus={({ target }) => target.select()}
        />
        <div className="flex justify-end gap-2">
          <CopyButton text={text} label={t("created.copy")} />
          <Button kind="primary" onClick={onClose}>
            {t("created.done")}
          </Button>
        </div>
      </div>
    </OpenDialog>
  );
};

/** Creates a key, and shows it once. */
export const CreateKey = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation(["apiKeys", "errors"]);
  const [text, setText] = useState<string>();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name: "", lifetime: "standard" },
  });
  const create = useAct(operations.apikey.createApiKey, { onDone: ({ key }) => setText(key) });
  if (text !== undefined) return <NewKey text={text} onClose={onClose} />;
  return (
    <FormDialog
      title={t("create.title")}
      description={t("create.text")}
      action={t("create.action")}
      change={create}
      onSubmit={handleSubmit(({ name, lifetime }) =>
        create.mutate({ body: { name: name.trim(), expiresIn: lifetimeOf(lifetime) } }),
      )}
      onClose={onClose}
    >
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
    </FormDialog>
  );
};

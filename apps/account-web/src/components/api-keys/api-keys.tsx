import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { notBlank, useForm } from "@latchkey/ui/form/use-form.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Panel } from "../account/panel.tsx";
import { Reading } from "../account/reading.tsx";
import { Rows } from "../account/rows.tsx";
import { useTranslation } from "../../languages.ts";
import { type KeyAction, KeyRow } from "./key-row.tsx";
import { DialogForm } from "@latchkey/ui/form/form.tsx";
import { SecretDialog } from "../account/secret-dialog.tsx";
import { SelectField, TextField } from "@latchkey/ui/components/fields.tsx";

const daySeconds = 86_400;
const days = [7, 30, 90, 365];

/** Returns the lifetime of a key in seconds: null without an end, undefined for that of the installation. */
const lifetimeOf = (choice: string): number | null | undefined => {
  if (choice === "standard") return undefined;
  return choice === "never" ? null : Number(choice) * daySeconds;
};

type Created = CallReply<typeof operations.apikey.createApiKey>;

interface CreateFormProps {
  /** The owner, if not the user. */
  organizationId: string | undefined;
  create: ReturnType<typeof useOperation<typeof operations.apikey.createApiKey>>;
  onClose: () => void;
}

const CreateForm = ({ create, organizationId, onClose }: CreateFormProps) => {
  const t = useTranslation("apiKeys");
  const form = useForm({
    defaultValues: { name: "", lifetime: "standard" },
    change: create,
    fieldOf: {
      THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: "lifetime",
      THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: "lifetime",
      CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: "lifetime",
    },
    onSubmit: ({ name, lifetime }) =>
      create.mutate({
        body: {
          name: name.trim(),
          expiresIn: lifetimeOf(lifetime),
          ...(organizationId && { organizationId }),
        },
      }),
  });
  return (
    <DialogForm
      form={form}
      action={t("create.action")}
      cancelLabel={t("page:cancel")}
      onClose={onClose}
    >
      {organizationId === undefined && <p className="text-muted">{t("create.text")}</p>}
      <TextField
        {...form.field("name", { validate: notBlank(t("errors:required")) })}
        label={t("name")}
        hint={t("create.nameHint")}
        autoComplete="off"
        dir="auto"
      />
      <SelectField
        {...form.field("lifetime")}
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

interface CreateKeyProps {
  organizationId: string | undefined;
  onClose: () => void;
}

/** Creates a key, and shows it once. */
const CreateKey = ({ organizationId, onClose }: CreateKeyProps) => {
  const t = useTranslation("apiKeys");
  const [created, setCreated] = useState<Created>();
  const create = useOperation(operations.apikey.createApiKey, { onDone: setCreated });
  const form = (close: () => void) => (
    <CreateForm create={create} organizationId={organizationId} onClose={close} />
  );
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

interface ApiKeysProps {
  /** The owner, if not the user. */
  organizationId?: string;
  title: string;
  text?: string;
  /** Whether the user may act on the keys. */
  may?: (action: KeyAction) => boolean;
}

/** Users may do everything with keys of their own. */
const mayAll = () => true;

/** The API keys of the user or of an organization. */
export const ApiKeys = ({ organizationId, title, text, may = mayAll }: ApiKeysProps) => {
  const t = useTranslation("apiKeys");
  const [isCreating, setIsCreating] = useState(false);
  const keys = useQuery({
    ...operationQuery(operations.apikey.listApiKeys, {
      query: {
        sortBy: "createdAt",
        sortDirection: "desc",
        ...(organizationId && { organizationId }),
      },
    }),
    select: (reply) => (Array.isArray(reply) ? reply : reply.apiKeys),
  });
  return (
    <Panel
      title={title}
      text={text}
      actions={
        may("create") && (
          <Button kind="primary" onClick={() => setIsCreating(true)}>
            {t("create.title")}
          </Button>
        )
      }
    >
      <Reading of={keys}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t("none")}>{t("noneText")}</EmptyState>
          ) : (
            <Rows label={title}>
              {list.map((key) => (
                <KeyRow key={key.id} apiKey={key} may={may} />
              ))}
            </Rows>
          )
        }
      </Reading>
      {isCreating && (
        <CreateKey organizationId={organizationId} onClose={() => setIsCreating(false)} />
      )}
    </Panel>
  );
};

import { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/account/form-dialog.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Row } from "../../components/account/rows.tsx";
import { useAct } from "../../components/account/use-act.ts";
import { FormError } from "../../components/form-error.tsx";
import { type APIKey, keyState } from "./api-key.ts";
import { KeyUsage } from "./key-usage.tsx";

const { deleteApiKey, updateApiKey } = operations.apikey;
const tones = { active: "success", disabled: "neutral", expired: "warning" } as const;

const useKeyName = ({ name, start }: APIKey): string => {
  const { t } = useTranslation("apiKeys");
  return name || start || t("unnamed");
};

interface DeleteKeyProps {
  apiKey: APIKey;
  onClose: () => void;
}

const DeleteKey = ({ apiKey, onClose }: DeleteKeyProps) => {
  const { t } = useTranslation("apiKeys");
  const remove = useAct(deleteApiKey, { done: t("delete.done"), onDone: onClose });
  return (
    <FormDialog
      title={t("delete.title", { name: useKeyName(apiKey) })}
      description={t("delete.text")}
      action={t("delete.action")}
      isDangerous
      change={remove}
      onSubmit={() => remove.mutate({ body: { keyId: apiKey.id } })}
      onClose={onClose}
    />
  );
};

const KeyDetails = ({ apiKey }: { apiKey: APIKey }) => {
  const { t } = useTranslation("apiKeys");
  const { start, permissions, createdAt, expiresAt, lastRequest } = apiKey;
  const granted = Object.entries(permissions ?? {}).map(
    ([resource, actions]) => `${resource}: ${actions.join(", ")}`,
  );
  return (
    <>
      {start && (
        <code dir="ltr" className="font-mono">
          {start}…
        </code>
      )}
      <p>
        {t("createdAt")} <Moment at={createdAt} isDay />
      </p>
      {expiresAt && (
        <p>
          {t("expiresAt")} <Moment at={expiresAt} isDay />
        </p>
      )}
      {lastRequest ? (
        <p>
          {t("lastUsed")} <Moment at={lastRequest} />
        </p>
      ) : (
        <p>{t("neverUsed")}</p>
      )}
      {granted.length > 0 && <p>{t("permissions", { list: granted.join("; ") })}</p>}
    </>
  );
};

interface KeyActionsProps {
  apiKey: APIKey;
  name: string;
  onOpen: (dialog: "usage" | "delete") => void;
}

const KeyActions = ({ apiKey: { id, enabled }, name, onOpen }: KeyActionsProps) => {
  const { t } = useTranslation("apiKeys");
  const toggle = useAct(updateApiKey, { done: t(enabled ? "disabled" : "enabled") });
  return (
    <>
      <Button aria-label={t("usage.title", { name })} onClick={() => onOpen("usage")}>
        {t("usage.action")}
      </Button>
      <Button
        aria-label={t(enabled ? "disableOne" : "enableOne", { name })}
        isBusy={toggle.isPending}
        onClick={() => toggle.mutate({ body: { keyId: id, enabled: !enabled } })}
      >
        {t(enabled ? "disable" : "enable")}
      </Button>
      <Button aria-label={t("delete.one", { name })} onClick={() => onOpen("delete")}>
        {t("delete.button")}
      </Button>
      {toggle.error && <FormError error={toggle.error} />}
    </>
  );
};

/** One key, with its state and what can be done with it. */
export const KeyRow = ({ apiKey }: { apiKey: APIKey }) => {
  const { t } = useTranslation("apiKeys");
  const [open, setOpen] = useState<"usage" | "delete">();
  const name = useKeyName(apiKey);
  const state = keyState(apiKey, useNow());
  const onClose = () => setOpen(undefined);
  return (
    <>
      <Row
        title={
          <>
            <bdi>{name}</bdi>
            <Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>
          </>
        }
        details={<KeyDetails apiKey={apiKey} />}
        actions={<KeyActions apiKey={apiKey} name={name} onOpen={setOpen} />}
      />
      {open === "usage" && <KeyUsage id={apiKey.id} name={name} onClose={onClose} />}
      {open === "delete" && <DeleteKey apiKey={apiKey} onClose={onClose} />}
    </>
  );
};

import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { useState } from "react";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";
import { ConfirmDialog } from "../../components/account/form-dialog.tsx";
import { Moment } from "../../components/account/moment.tsx";
import { Row } from "../../components/account/rows.tsx";
import { FormError } from "@latchkey/ui/errors/form-error.tsx";
import { useTranslation, shownLanguage } from "../../languages.ts";
import { OpenDialog } from "../../components/account/open-dialog.tsx";
import { Reading } from "../../components/account/reading.tsx";

type Day = CallReply<typeof operations.apikey.readApiKeyUsage>["days"][number];

const refusedOn = ({ rateLimited, exhausted, expired, disabled, forbidden }: Day): number =>
  rateLimited + exhausted + expired + disabled + forbidden;

/** The days are days in UTC. */
const dayText = (day: string): string =>
  new Intl.DateTimeFormat(shownLanguage(), { dateStyle: "medium", timeZone: "UTC" }).format(
    new Date(day),
  );

const Days = ({ days }: { days: readonly Day[] }) => {
  const t = useTranslation("apiKeys");
  const number = new Intl.NumberFormat(shownLanguage());
  return (
    <table className="w-full text-start">
      <thead className="text-muted">
        <tr>
          <th className="py-1 text-start font-medium">{t("usage.day")}</th>
          <th className="py-1 text-end font-medium">{t("usage.valid")}</th>
          <th className="py-1 text-end font-medium">{t("usage.refused")}</th>
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {days.toReversed().map((day) => (
          <tr key={day.day} className="border-t">
            <td className="py-1">{dayText(day.day)}</td>
            <td className="py-1 text-end">{number.format(day.valid)}</td>
            <td className="py-1 text-end">{number.format(refusedOn(day))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

interface KeyUsageProps {
  id: string;
  name: string;
  onClose: () => void;
}

/** How often a key was used and refused in the last 30 days. */
const KeyUsage = ({ id, name, onClose }: KeyUsageProps) => {
  const t = useTranslation("apiKeys");
  const usage = useQuery(operationQuery(operations.apikey.readApiKeyUsage, { query: { id } }));
  return (
    <OpenDialog title={t("usage.title", { name })} description={t("usage.text")} onClose={onClose}>
      <Reading of={usage}>
        {({ days }) =>
          days.length === 0 ? <p className="text-muted">{t("usage.none")}</p> : <Days days={days} />
        }
      </Reading>
    </OpenDialog>
  );
};

const { deleteApiKey, updateApiKey } = operations.apikey;
const tones = { active: "success", disabled: "neutral", expired: "warning" } as const;

/** An API key of the user. */
type APIKey = CallReply<typeof operations.apikey.getApiKey>;

type KeyState = "active" | "disabled" | "expired";

/** Returns whether a key works, or why it does not. */
const keyState = ({ enabled, expiresAt }: APIKey, now: Date): KeyState => {
  if (expiresAt !== null && new Date(expiresAt) <= now) return "expired";
  return enabled ? "active" : "disabled";
};

const useKeyName = ({ name, start }: APIKey): string => {
  const t = useTranslation("apiKeys");
  return name || start || t("unnamed");
};

interface DeleteKeyProps {
  apiKey: APIKey;
  onClose: () => void;
}

const DeleteKey = ({ apiKey, onClose }: DeleteKeyProps) => {
  const t = useTranslation("apiKeys");
  const remove = useOperation(deleteApiKey, { done: t("delete.done"), onDone: onClose });
  return (
    <ConfirmDialog
      title={t("delete.title", { name: useKeyName(apiKey) })}
      description={t("delete.text")}
      action={t("delete.action")}
      change={remove}
      onConfirm={() => remove.mutate({ body: { keyId: apiKey.id } })}
      onClose={onClose}
    />
  );
};

const KeyDetails = ({ apiKey }: { apiKey: APIKey }) => {
  const t = useTranslation("apiKeys");
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
  const t = useTranslation("apiKeys");
  const toggle = useOperation(updateApiKey, { done: t(enabled ? "disabled" : "enabled") });
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
  const t = useTranslation("apiKeys");
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

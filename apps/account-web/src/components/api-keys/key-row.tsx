import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { Badge } from "@latchkey/ui/components/badge.tsx";
import { MenuItem, MenuSection } from "@latchkey/ui/components/dropdown-menu.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { useState } from "react";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useQuery } from "@tanstack/react-query";
import { ConfirmDialog } from "../account/form-dialog.tsx";
import { Ago } from "../account/ago.tsx";
import { Moment } from "../account/moment.tsx";
import { Row, RowMenu } from "../account/rows.tsx";
import { useTranslation, shownLanguage } from "../../languages.ts";
import { SecretDialog } from "../account/secret-dialog.tsx";
import { OpenDialog } from "../account/open-dialog.tsx";
import { OverlapForm } from "../account/overlap-form.tsx";
import { Reading } from "../account/reading.tsx";

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

const { deleteApiKey, rerollApiKey, updateApiKey } = operations.apikey;
const tones = {
  active: "success",
  disabled: "neutral",
  expired: "warning",
  retired: "neutral",
} as const;

/** An API key, and whether another one has replaced it. */
type APIKey = CallReply<typeof operations.apikey.getApiKey>;

/** An action that a role may permit. */
export type KeyAction = "create" | "update" | "delete";

/** Returns whether a key works, or why it does not. A replaced key works until it expires. */
const keyState = ({ enabled, expiresAt, successorId }: APIKey, now: Date): keyof typeof tones => {
  if (expiresAt !== null && new Date(expiresAt) <= now) return "expired";
  if (successorId !== undefined) return "retired";
  return enabled ? "active" : "disabled";
};

const useKeyName = ({ name, start }: APIKey): string => {
  const t = useTranslation("apiKeys");
  return name || start || t("unnamed");
};

interface KeyDialogProps {
  apiKey: APIKey;
  onClose: () => void;
}

/** How often a key was used and refused in the last 30 days. */
const KeyUsage = ({ apiKey, onClose }: KeyDialogProps) => {
  const t = useTranslation("apiKeys");
  const usage = useQuery(
    operationQuery(operations.apikey.readApiKeyUsage, { query: { id: apiKey.id } }),
  );
  const title = t("usage.title", { name: useKeyName(apiKey) });
  return (
    <OpenDialog title={title} description={t("usage.text")} onClose={onClose}>
      <Reading of={usage}>
        {({ days }) =>
          days.length === 0 ? <p className="text-muted">{t("usage.none")}</p> : <Days days={days} />
        }
      </Reading>
    </OpenDialog>
  );
};

const DeleteKey = ({ apiKey, onClose }: KeyDialogProps) => {
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

/** Replaces a key by a new one, which is shown once. */
const RerollKey = ({ apiKey, onClose }: KeyDialogProps) => {
  const t = useTranslation("apiKeys");
  const [created, setCreated] = useState<CallReply<typeof rerollApiKey>>();
  const reroll = useOperation(rerollApiKey, { onDone: setCreated });
  const form = (close: () => void) => (
    <OverlapForm
      text={t("reroll.text")}
      none={t("reroll.none")}
      action={t("reroll.action")}
      change={reroll}
      onSubmit={(overlapSeconds) => reroll.mutate({ body: { keyId: apiKey.id, overlapSeconds } })}
      onClose={close}
    />
  );
  return (
    <SecretDialog
      title={t("reroll.title", { name: useKeyName(apiKey) })}
      createdTitle={t("created.title")}
      label={t("created.key")}
      created={created}
      secretOf={({ key }) => key}
      isPending={reroll.isPending}
      onClose={onClose}
      form={form}
    />
  );
};

/** Facts about a key, for its menu. */
const KeyFacts = ({ apiKey }: { apiKey: APIKey }) => {
  const t = useTranslation("apiKeys");
  const { start, permissions, createdAt, expiresAt } = apiKey;
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
      {granted.length > 0 && <p>{t("permissions", { list: granted.join("; ") })}</p>}
    </>
  );
};

const dialogs = { usage: KeyUsage, reroll: RerollKey, delete: DeleteKey } as const;

interface KeyMenuProps extends KeyRowProps {
  toggle: ReturnType<typeof useOperation<typeof updateApiKey>>;
  onOpen: (dialog: keyof typeof dialogs) => void;
}

const KeyMenu = ({ apiKey, may, toggle, onOpen }: KeyMenuProps) => {
  const t = useTranslation("apiKeys");
  const { id, enabled, successorId } = apiKey;
  return (
    <RowMenu name={useKeyName(apiKey)} isBusy={toggle.isPending}>
      <MenuSection label={<KeyFacts apiKey={apiKey} />}>
        <MenuItem onSelect={() => onOpen("usage")}>{t("usage.action")}</MenuItem>
        {may("update") && successorId === undefined && (
          <>
            <MenuItem onSelect={() => toggle.mutate({ body: { keyId: id, enabled: !enabled } })}>
              {t(enabled ? "disable" : "enable")}
            </MenuItem>
            <MenuItem onSelect={() => onOpen("reroll")}>{t("reroll.action")}</MenuItem>
          </>
        )}
        {may("delete") && (
          <MenuItem isDangerous onSelect={() => onOpen("delete")}>
            {t("delete.button")}
          </MenuItem>
        )}
      </MenuSection>
    </RowMenu>
  );
};

interface KeyRowProps {
  apiKey: APIKey;
  may: (action: KeyAction) => boolean;
}

/** One key, with its state and what can be done with it. */
export const KeyRow = ({ apiKey, may }: KeyRowProps) => {
  const t = useTranslation("apiKeys");
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const state = keyState(apiKey, useNow());
  const { enabled, lastRequest } = apiKey;
  const toggle = useOperation(updateApiKey, { done: t(enabled ? "disabled" : "enabled") });
  const Dialog = open && dialogs[open];
  return (
    <>
      <Row
        title={<bdi>{useKeyName(apiKey)}</bdi>}
        badges={<Badge tone={tones[state]}>{t(`states.${state}`)}</Badge>}
        details={
          lastRequest ? (
            <>
              {t("lastUsed")} <Ago at={lastRequest} />
            </>
          ) : (
            t("neverUsed")
          )
        }
        error={toggle.error}
        actions={<KeyMenu apiKey={apiKey} may={may} toggle={toggle} onOpen={setOpen} />}
      />
      {Dialog && <Dialog apiKey={apiKey} onClose={() => setOpen(undefined)} />}
    </>
  );
};

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate, Link } from "@tanstack/react-router";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { JsonView } from "@latchkey/ui/components/json-view.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { useState } from "react";
import { useOperation } from "@latchkey/ui/api/use-operation.ts";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { Facts } from "@latchkey/ui/components/facts.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { SecretDialog } from "@latchkey/ui/secrets/secret-dialog.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Detail } from "../../components/detail.tsx";
import { Page } from "../../components/page.tsx";
import { type Reading, StaleNotice } from "../../components/errors/stale-notice.tsx";
import { useDayRange } from "../../components/range-card.tsx";
import { keyName } from "../../components/api-keys/key-name.ts";
import { KeyStateBadge } from "../../components/api-keys/key-state-badge.tsx";
import type { ApiKey } from "../../components/api-keys/api-key.ts";
import { AuditLink } from "../../components/audit/audit-link.tsx";
import { Usage } from "./usage.tsx";
import { useAccess } from "../../access/use-access.ts";
import { Confirm } from "../../components/confirm.tsx";
import { EditKey } from "./edit-key.tsx";
import { KeyOwner } from "../../components/api-keys/key-owner.tsx";
import { LimitsList } from "../../components/api-keys/limits-list.tsx";
import { limitsInWords } from "../../components/api-keys/limits-in-words.ts";
import { keyLimits } from "./key-limits.ts";
import { NewKey } from "../../components/api-keys/new-key.tsx";
import { OverlapForm } from "../../components/overlap-form.tsx";
import { t } from "../../texts.ts";
import { richText } from "../../components/rich-text.tsx";

/** Says of a re-rolled key how long it works, and links to the key that replaces it. */
const RetiredNotice = ({ apiKey }: { apiKey: ApiKey }) =>
  apiKey.successorId !== null && (
    <Notice tone="warning">
      {richText("apiKey.retired", {
        time: <RelativeTime at={apiKey.expiresAt} mayBeAhead />,
        key: (
          <Link
            to="/api-keys/$keyId"
            params={{ keyId: apiKey.successorId }}
            className="rounded-sm font-medium underline"
          >
            {t("apiKey.newKey")}
          </Link>
        ),
      })}
    </Notice>
  );

const { adminRerollApiKey } = operations.apikey;

const overlapSecondsMax = 2_592_000;

interface RerollKeyProps {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Replaces a key by a new one, and shows its text once. */
const RerollKey = ({ apiKey, onClose }: RerollKeyProps) => {
  const [created, setCreated] = useState<CallReply<typeof adminRerollApiKey>>();
  const reroll = useOperation(adminRerollApiKey, { showsError: true, onDone: setCreated });
  const form = (onCancel: () => void) => (
    <OverlapForm
      label={t("apiKey.reroll.grace")}
      description={t("apiKey.reroll.graceHint")}
      action={t("apiKey.reroll.action")}
      secondsMax={overlapSecondsMax}
      change={reroll}
      onSubmit={(overlapSeconds) =>
        reroll.mutate({ params: { id: apiKey.id }, body: { overlapSeconds } })
      }
      onCancel={onCancel}
    >
      {t("apiKey.reroll.text")}
    </OverlapForm>
  );
  return (
    <SecretDialog
      title={t("apiKey.reroll.title", { name: keyName(apiKey) })}
      createdTitle={t("apiKey.reroll.created")}
      created={created}
      isPending={reroll.isPending}
      onClose={onClose}
      form={form}
    >
      {(key, kept) => <NewKey created={key} {...kept} />}
    </SecretDialog>
  );
};

/** The row of a retired key has the limits from before, which no longer apply. */
const wordsOf = (apiKey: ApiKey, now: Date): string[] =>
  apiKey.successorId === null ? limitsInWords(keyLimits(apiKey), now) : [t("apiKey.sharesLimits")];

/** Shows the owner, the permissions and the limits of a key. */
const KeyFacts = ({ apiKey }: { apiKey: ApiKey }) => (
  <div className="grid gap-4 lg:grid-cols-2">
    <Card title={t("apiKeys.key")}>
      <Facts
        facts={{
          [t("common.owner")]: <KeyOwner apiKey={apiKey} />,
          [t("common.id")]: <CopyId id={apiKey.id} of={keyName(apiKey)} />,
          [t("apiKey.startsWith")]: (
            <bdi className="font-mono text-xs">{apiKey.start ?? t("apiKey.notStored")}</bdi>
          ),
          [t("common.created")]: <RelativeTime at={apiKey.createdAt} />,
          [t("who.changed")]: <RelativeTime at={apiKey.updatedAt} />,
          [t("common.lastUsed")]: <RelativeTime at={apiKey.lastRequest} />,
          [t("apiKey.lastRefilled")]: <RelativeTime at={apiKey.lastRefillAt} />,
        }}
      />
    </Card>
    <Card title={t("apiKeys.limits")}>
      <LimitsList words={wordsOf(apiKey, useNow())} />
    </Card>
  </div>
);

const { adminDisableApiKey, adminEnableApiKey, adminDeleteApiKey } = operations.apikey;

const Disable = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>{t("apiKeys.disable")}</Button>
      {isAsked && (
        <Confirm
          operation={adminDisableApiKey}
          input={{ params: { id: apiKey.id } }}
          title={t("apiKey.disable.title", { name: keyName(apiKey) })}
          action={t("apiKey.disable.action")}
          done={t("apiKey.disable.done")}
          onClose={() => setIsAsked(false)}
        >
          {t("apiKey.disable.text")}
        </Confirm>
      )}
    </>
  );
};

const Enable = ({ apiKey: { id } }: { apiKey: ApiKey }) => {
  const enable = useOperation(adminEnableApiKey, { done: t("apiKey.enabled") });
  return (
    <Button isBusy={enable.isPending} onClick={() => enable.mutate({ params: { id } })}>
      {t("apiKeys.enable")}
    </Button>
  );
};

const Edit = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t("common.edit")}</Button>
      {isOpen && <EditKey apiKey={apiKey} onClose={() => setIsOpen(false)} />}
    </>
  );
};

/** Stays mounted when the key is retired, because its dialog then shows the new key. */
const Reroll = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {apiKey.successorId === null && (
        <Button onClick={() => setIsOpen(true)}>{t("apiKey.reroll.button")}</Button>
      )}
      {isOpen && <RerollKey apiKey={apiKey} onClose={() => setIsOpen(false)} />}
    </>
  );
};

const Delete = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isAsked, setIsAsked] = useState(false);
  const navigate = useNavigate();
  return (
    <>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        {t("common.delete")}
      </Button>
      {isAsked && (
        <Confirm
          operation={adminDeleteApiKey}
          input={{ params: { id: apiKey.id } }}
          title={t("common.deleteQuestion", { name: keyName(apiKey) })}
          action={t("apiKey.delete.action")}
          done={t("apiKey.delete.done")}
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/api-keys", replace: true })}
        >
          {t("apiKey.delete.text")}
        </Confirm>
      )}
    </>
  );
};

/** Shows the actions that this admin may take on a key. Only the owner can enable a key that the owner disabled. A retired key is final. */
const KeyActions = ({ apiKey }: { apiKey: ApiKey }) => {
  const { may } = useAccess();
  const mayEdit = may("apiKey:update") && apiKey.successorId === null;
  return (
    <>
      {mayEdit && <Edit apiKey={apiKey} />}
      {may("apiKey:update") && may("apiKey:create") && <Reroll apiKey={apiKey} />}
      {may("apiKey:update") &&
        (apiKey.disabledByAdmin ? <Enable apiKey={apiKey} /> : <Disable apiKey={apiKey} />)}
      {may("apiKey:delete") && <Delete apiKey={apiKey} />}
    </>
  );
};

const route = getRouteApi("/shell/api-keys/$keyId");
const trail = [{ label: t("screens.apiKeys"), to: "/api-keys" }];
const daysMax = 366;

const Shown = ({ apiKey, reading }: { apiKey: ApiKey; reading: Reading }) => {
  const navigate = useNavigate();
  const { tab, ...days } = route.useSearch();
  const range = useDayRange(days, daysMax);
  return (
    <Page
      title={keyName(apiKey)}
      trail={trail}
      aside={
        <>
          <KeyStateBadge apiKey={apiKey} />
          <AuditLink subjectId={apiKey.id} />
          <KeyActions apiKey={apiKey} />
        </>
      }
    >
      <StaleNotice reading={reading} />
      <RetiredNotice apiKey={apiKey} />
      <Tabs
        label={t("common.partsOf", { name: keyName(apiKey) })}
        value={tab ?? "usage"}
        onChange={(value) =>
          void navigate({
            to: ".",
            search: { ...days, tab: value === "json" ? value : undefined },
          })
        }
        tabs={[
          {
            value: "usage",
            label: t("user.tabs.overview"),
            content: (
              <div className="flex flex-col gap-4">
                <KeyFacts apiKey={apiKey} />
                <Usage keyId={apiKey.id} range={range} />
              </div>
            ),
          },
          {
            value: "json",
            label: "JSON",
            content: (
              <JsonView label={t("common.asJson", { name: keyName(apiKey) })} value={apiKey} />
            ),
          },
        ]}
      />
    </Page>
  );
};

/** Shows one key: its owner, its permissions and limits, and its usage. */
export const ApiKeyScreen = () => {
  const { keyId } = route.useParams();
  const reading = useQuery(
    operationQuery(operations.apikey.adminGetApiKey, { params: { id: keyId } }),
  );
  return (
    <Detail kind={t("common.apiKey")} trail={trail} reading={reading}>
      {(apiKey) => <Shown apiKey={apiKey} reading={reading} />}
    </Detail>
  );
};

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

/** Says of a re-rolled key how long it works, and links to the key that replaces it. */
const RetiredNotice = ({ apiKey }: { apiKey: ApiKey }) =>
  apiKey.successorId !== null && (
    <Notice tone="warning">
      Retired, grace period until <RelativeTime at={apiKey.expiresAt} mayBeAhead />. This key shares
      the limits of{" "}
      <Link
        to="/api-keys/$keyId"
        params={{ keyId: apiKey.successorId }}
        className="rounded-sm font-medium underline"
      >
        the new key
      </Link>
      .
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
      label="Grace period of the old key"
      description="Choose none if the key has leaked."
      action="Re-roll key"
      secondsMax={overlapSecondsMax}
      change={reroll}
      onSubmit={(overlapSeconds) =>
        reroll.mutate({ params: { id: apiKey.id }, body: { overlapSeconds } })
      }
      onCancel={onCancel}
    >
      Re-rolling creates a new key with the same owner, limits, and permissions. Both keys share the
      remaining uses until the old key stops working.
    </OverlapForm>
  );
  return (
    <SecretDialog
      title={`Re-roll ${keyName(apiKey)}`}
      createdTitle="New API key created"
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
  apiKey.successorId === null
    ? limitsInWords(keyLimits(apiKey), now)
    : ["Shares the limits and permissions of the new key."];

/** Shows the owner, the permissions and the limits of a key. */
const KeyFacts = ({ apiKey }: { apiKey: ApiKey }) => (
  <div className="grid gap-4 lg:grid-cols-2">
    <Card title="Key">
      <Facts
        facts={{
          Owner: <KeyOwner apiKey={apiKey} />,
          ID: <CopyId id={apiKey.id} of={keyName(apiKey)} />,
          "Starts with": <bdi className="font-mono text-xs">{apiKey.start ?? "not stored"}</bdi>,
          Created: <RelativeTime at={apiKey.createdAt} />,
          Changed: <RelativeTime at={apiKey.updatedAt} />,
          "Last used": <RelativeTime at={apiKey.lastRequest} />,
          "Last refilled": <RelativeTime at={apiKey.lastRefillAt} />,
        }}
      />
    </Card>
    <Card title="Limits and permissions">
      <LimitsList words={wordsOf(apiKey, useNow())} />
    </Card>
  </div>
);

const { adminDisableApiKey, adminEnableApiKey, adminDeleteApiKey } = operations.apikey;

const Disable = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button onClick={() => setIsAsked(true)}>Disable</Button>
      {isAsked && (
        <Confirm
          operation={adminDisableApiKey}
          input={{ params: { id: apiKey.id } }}
          title={`Disable ${keyName(apiKey)}?`}
          action="Disable key"
          done="Key disabled."
          onClose={() => setIsAsked(false)}
        >
          The key stops working immediately. Only an admin can enable it again.
        </Confirm>
      )}
    </>
  );
};

const Enable = ({ apiKey: { id } }: { apiKey: ApiKey }) => {
  const enable = useOperation(adminEnableApiKey, { done: "Key enabled." });
  return (
    <Button isBusy={enable.isPending} onClick={() => enable.mutate({ params: { id } })}>
      Enable
    </Button>
  );
};

const Edit = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Edit</Button>
      {isOpen && <EditKey apiKey={apiKey} onClose={() => setIsOpen(false)} />}
    </>
  );
};

/** Stays mounted when the key is retired, because its dialog then shows the new key. */
const Reroll = ({ apiKey }: { apiKey: ApiKey }) => {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {apiKey.successorId === null && <Button onClick={() => setIsOpen(true)}>Re-roll</Button>}
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
        Delete
      </Button>
      {isAsked && (
        <Confirm
          operation={adminDeleteApiKey}
          input={{ params: { id: apiKey.id } }}
          title={`Delete ${keyName(apiKey)}?`}
          action="Delete key"
          done="Key deleted."
          onClose={() => setIsAsked(false)}
          onDone={() => navigate({ to: "/api-keys", replace: true })}
        >
          The key stops working immediately. This cannot be undone. To stop it for a while, disable
          it.
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
const trail = [{ label: "API keys", to: "/api-keys" }];
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
        label={`Parts of ${keyName(apiKey)}`}
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
            label: "Overview",
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
            content: <JsonView label={`${keyName(apiKey)} as JSON`} value={apiKey} />,
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
    <Detail kind="API key" trail={trail} reading={reading}>
      {(apiKey) => <Shown apiKey={apiKey} reading={reading} />}
    </Detail>
  );
};

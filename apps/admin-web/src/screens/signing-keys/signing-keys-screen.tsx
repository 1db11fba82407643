import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import { CopyId } from "@latchkey/ui/components/copy-id.tsx";
import { RelativeTime } from "@latchkey/ui/components/relative-time.tsx";
import { Skeleton } from "@latchkey/ui/components/skeleton.tsx";
import { Table, type TableColumn, TableRow } from "@latchkey/ui/components/table.tsx";
import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import type { CallReply } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";

const { adminListSigningKeys } = operations.identity;

type SigningKey = CallReply<typeof adminListSigningKeys>["keys"][number];

const againMs = 10_000;

/** Queries the published keys. Refreshes them while a new key is about to become active. */
const useSigningKeys = () =>
  useQuery({
    ...operationQuery(adminListSigningKeys, {}),
    refetchInterval: (query) =>
      query.state.data?.keys.some(({ state }) => state === "next")
        ? againEvery(againMs)(query)
        : false,
  });

const columns: readonly TableColumn[] = [
  "Key",
  { name: "Algorithm", priority: "low" },
  "State",
  { name: "Created", priority: "low" },
  { name: "Signs from", priority: "medium" },
  "Published until",
];

/** Fixed widths that fit the content, so that nothing moves when it loads. */
const widths = ["w-48", "w-24", "w-28"];

const states: Record<SigningKey["state"], { label: string; tone: BadgeTone }> = {
  next: { label: "Next", tone: "accent" },
  signing: { label: "Signing", tone: "success" },
  published: { label: "Published", tone: "neutral" },
};

const KeyState = ({ state, opens }: SigningKey) => {
  const { label, tone } = states[state];
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={tone}>{label}</Badge>
      {!opens && <Badge tone="warning">Cannot be decrypted</Badge>}
    </span>
  );
};

const waitingCells = Object.fromEntries(
  columns.map((column) => {
    const name = typeof column === "string" ? column : column.name;
    return [name, <Skeleton key={name} />];
  }),
);

/** Lists all published keys. `keys` is undefined while they are loading. */
const KeyTable = ({ keys }: { keys: readonly SigningKey[] | undefined }) => (
  <Table label="signing keys" columns={columns} widths={widths}>
    {keys ? (
      keys.map((key) => (
        <TableRow
          key={key.id}
          cells={{
            Key: <CopyId id={key.id} of="this key" />,
            Algorithm: key.alg,
            State: <KeyState {...key} />,
            Created: <RelativeTime at={key.createdAt} isStacked />,
            "Signs from": <RelativeTime at={key.signsAt} mayBeAhead isStacked />,
            "Published until": <RelativeTime at={key.publishedUntil} mayBeAhead isStacked />,
          }}
        />
      ))
    ) : (
      <TableRow cells={waitingCells} />
    )}
  </Table>
);

const RotateDialog = lazyDialog(async () => (await import("./rotate-dialog.tsx")).RotateDialog);

const route = getRouteApi("/shell/signing-keys");

const meanings = {
  Next: "Published so that verifiers load it before it signs.",
  Signing: "Signs every new token.",
  Published: "Retired. Its tokens remain valid until its grace period ends.",
};

const Meanings = () => (
  <Card title="Key states">
    <dl className="flex flex-col gap-2">
      {Object.entries(meanings).map(([state, meaning]) => (
        <div key={state}>
          <dt className="inline font-medium">{state}: </dt>
          <dd className="inline text-muted">{meaning}</dd>
        </div>
      ))}
    </dl>
  </Card>
);

/** The list of keys. The content below it is rendered together with it, because the number of keys is unknown before. */
const Keys = () => {
  const reading = useSigningKeys();
  const { data, error, refetch } = reading;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data?.keys.length === 0)
    return (
      <EmptyState title="No signing keys yet">
        The first token creates the first key. You can also rotate now.
      </EmptyState>
    );
  return (
    <>
      <StaleNotice reading={reading} />
      <Card className="p-0">
        <KeyTable keys={data?.keys} />
      </Card>
      {data?.keys.some(({ opens }) => !opens) && (
        <Notice tone="warning">
          A key cannot be decrypted with the current secrets. Add the secret that encrypted it after
          the current one (AUTH_SECRET), or rotate the keys.
        </Notice>
      )}
      {data && <Meanings />}
    </>
  );
};

export const SigningKeysScreen = () => {
  const { rotate } = route.useSearch();
  const navigate = route.useNavigate();
  const { may } = useAccess();
  const setIsRotating = (isOpen: boolean) =>
    void navigate({ to: ".", search: { rotate: isOpen ? "1" : undefined }, replace: true });
  return (
    <Page
      title="Signing keys"
      aside={
        may("signingKey:rotate") && (
          <>
            <Button onClick={() => setIsRotating(true)}>
              <RefreshCw />
              Rotate keys
            </Button>
            <RotateDialog isOpen={rotate !== undefined} onOpenChange={setIsRotating} />
          </>
        )
      }
    >
      <p className="max-w-prose text-muted">
        These keys sign tokens for other services. The public keys are at /jwks. The private keys
        are encrypted in the database.
      </p>
      <Keys />
    </Page>
  );
};

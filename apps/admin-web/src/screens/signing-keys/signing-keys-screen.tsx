import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { Button } from "@latchkey/ui/components/button.tsx";
import { Card } from "@latchkey/ui/components/card.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { KeyTable } from "./key-table.tsx";
import { useSigningKeys } from "./use-signing-keys.ts";

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

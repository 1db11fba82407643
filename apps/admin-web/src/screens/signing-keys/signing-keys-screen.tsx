import { getRouteApi } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { Button } from "@latchkey/ui/components/button.tsx";
import { EmptyState } from "@latchkey/ui/components/empty-state.tsx";
import { lazyDialog } from "@latchkey/ui/components/lazy-dialog.tsx";
import { Notice } from "@latchkey/ui/components/notice.tsx";
import { useQuery } from "@tanstack/react-query";
import { againEvery } from "@latchkey/ui/api/again-every.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { operationQuery } from "@latchkey/ui/api/operation-query.ts";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { ErrorState } from "../../components/errors/error-state.tsx";
import { StaleNotice } from "../../components/errors/stale-notice.tsx";
import { KeyCards } from "./key-cards.tsx";

const { adminListSigningKeys } = operations.identity;

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

const RotateDialog = lazyDialog(async () => (await import("./rotate-dialog.tsx")).RotateDialog);

const route = getRouteApi("/shell/signing-keys");

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
      <KeyCards keys={data?.keys} />
      {data?.keys.some(({ opens }) => !opens) && (
        <Notice tone="warning">
          A key cannot be decrypted with the current secrets. Add the secret that encrypted it after
          the current one (AUTH_SECRET), or rotate the keys.
        </Notice>
      )}
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
